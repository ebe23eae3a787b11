import { Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { type AddUserForm, addUser, addUserForm, fullNameOf } from '@orchestrate/shared';
import { Controller, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import {
  appOverrideOf,
  appSwitchObstacle,
  firstAppOf,
  useOrgLoginOptions,
} from '#features/settings/shared/login-options.ts';
import { memberAddress } from '#lib/address/member-address.ts';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { capitalize } from '#lib/format/text.ts';
import { showRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { Select } from '#ui/form/select.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { InvitersOnly } from '../shared/inviters-only.tsx';
import { usePrimaryAttribute } from '../shared/names.ts';
import { APP_SWITCHES, ManagerField } from './member-fields.tsx';
import { NameFields } from './name-fields.tsx';
import { RoleSelect } from './role-select.tsx';

type FormValues = z.input<typeof addUserForm>;
type Form = UseFormReturn<FormValues, unknown, AddUserForm>;

const USUAL_ROLE = { roleCode: 'USER', name: t`Org User` };

const EMPTY_FORM: FormValues = {
  firstName: '',
  lastName: '',
  primaryEmail: '',
  primaryAttr: '',
  mobileNumber: '',
  roles: USUAL_ROLE.roleCode,
  managerSuid: undefined,
  hasPermissionForMobileApp: true,
  hasPermissionForWindowsApp: true,
};

const INVITATIONS = [
  { app: 'mobile', label: t`Invite to the mobile app` },
  { app: 'desktop', label: t`Invite to the desktop app` },
] as const;

interface AddUserDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Adds a member and opens their page. Requires permission to invite. */
export default function AddUserDialog(dialog: AddUserDialogProps) {
  return (
    <InvitersOnly {...dialog} title={t`Add user`}>
      <AddUser {...dialog} />
    </InvitersOnly>
  );
}

function AddUser({ isOpen, onClose, onExitComplete }: AddUserDialogProps) {
  const { run } = useWrite(addUser, { invalidates: ['Member Profile'] });
  const { data: organisation } = useOrgLoginOptions();
  const canSearch = useCan('SEARCH_USER');
  const goToNextStep = useGuardedNavigate();
  const form = useForm<FormValues, unknown, AddUserForm>({
    resolver: zodResolver(addUserForm),
    mode: 'onTouched',
    defaultValues: EMPTY_FORM,
    values: { ...EMPTY_FORM, invite: firstAppOf(organisation) },
    resetOptions: { keepDirtyValues: true },
  });
  const restored = useTypedDraft({ form, name: 'member new', isOpen });
  const { errors, isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      const { profile } = await run({ body: values });
      toast.success(values.invite ? t`Invitation sent to ${profile.primaryEmail}` : t`${fullNameOf(profile)} added`);
      // The member's page shows the next step, i.e. the activation code and later the devices.
      if (canSearch) goToNextStep(memberAddress(paths.member, profile), { replace: true });
      else onClose();
    } catch (failure) {
      showRefusal(form, failure);
    }
  });
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={t`Add user`}
      size="lg"
      verb={t`Add user`}
      onSubmit={submit}
      isDirty={isDirty && !isSubmitting}
      isPending={isSubmitting}
      error={errors.root?.message}
    >
      {restored}
      <Person form={form} />
      <RoleAndManager form={form} />
      <Apps form={form} />
    </FormModal>
  );
}

function Person({ form }: { form: Form }) {
  const { errors } = form.formState;
  const attribute = usePrimaryAttribute();
  return (
    <>
      <NameFields
        first={{ ...form.register('firstName'), error: errors.firstName?.message }}
        last={{ ...form.register('lastName'), error: errors.lastName?.message }}
      />
      <FormField label={t`Email`} isRequired error={errors.primaryEmail?.message}>
        <Input {...form.register('primaryEmail')} type="email" inputMode="email" maxLength={254} autoComplete="off" />
      </FormField>
      <Flex gap="4" direction={{ base: 'column', xs: 'row' }}>
        <FormField label={capitalize(attribute)} isRequired error={errors.primaryAttr?.message}>
          <Input {...form.register('primaryAttr')} maxLength={254} autoComplete="off" />
        </FormField>
        <FormField
          label={t`Mobile number`}
          help={t`Optional. Include the country code.`}
          error={errors.mobileNumber?.message}
        >
          <Input
            {...form.register('mobileNumber')}
            type="tel"
            maxLength={40}
            autoComplete="off"
            placeholder="+46 70 123 45 67"
          />
        </FormField>
      </Flex>
    </>
  );
}

/** Selects the role and the manager. Each field is displayed only to users who can set it. */
function RoleAndManager({ form }: { form: Form }) {
  const { errors } = form.formState;
  const canGiveRole = useCan('UPDATE_USER');
  const canSearch = useCan('SEARCH_USER');
  return (
    <>
      {canGiveRole && (
        <FormField label={t`Role`} isRequired error={errors.roles?.message}>
          <Controller
            control={form.control}
            name="roles"
            render={({ field }) => <RoleSelect present={USUAL_ROLE} {...field} />}
          />
        </FormField>
      )}
      {canSearch && (
        <Controller
          control={form.control}
          name="managerSuid"
          render={({ field: { value, onChange } }) => (
            <ManagerField suid={value} onChange={onChange} error={errors.managerSuid?.message} />
          )}
        />
      )}
    </>
  );
}

function Apps({ form }: { form: Form }) {
  const { errors } = form.formState;
  const { data: organisation } = useOrgLoginOptions();
  return (
    <>
      {APP_SWITCHES.map(({ name, app, label }) => (
        <SwitchField
          key={name}
          control={form.control}
          name={name}
          label={label}
          ruling={appOverrideOf(app, organisation)}
        />
      ))}
      <FormField
        label={t`Invitation`}
        help={t`Sends an email with a link for getting an activation code for this app.`}
        error={errors.invite?.message}
      >
        <Controller
          control={form.control}
          name="invite"
          render={({ field: { value, onChange, ...field } }) => (
            <Select {...field} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
              {INVITATIONS.map(({ app, label }) => {
                const obstacle = appSwitchObstacle(app, organisation);
                return (
                  <option key={app} value={app} disabled={obstacle !== undefined}>
                    {obstacle ? `${deviceTypeLabel[app]}: ${obstacle}` : label}
                  </option>
                );
              })}
              <option value="">{t`Don't invite yet`}</option>
            </Select>
          )}
        />
      </FormField>
    </>
  );
}
