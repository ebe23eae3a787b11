import { Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { type EditDetailsForm, editDetails, editDetailsForm, fullNameOf, getUser } from '@orchestrate/shared';
import { Controller, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { appOverrideOf, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { capitalize } from '#lib/format/text.ts';
import { showRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { usePrimaryAttribute } from '../shared/names.ts';
import type { MemberDialogProps } from './member-dialog.ts';
import { APP_SWITCHES, ManagerField } from './member-fields.tsx';

type FormValues = z.input<typeof editDetailsForm>;

/** Edits a member's primary attribute, mobile number, manager and permitted apps. */
export default function EditDetailsDialog({ member, isOpen, onClose, onExitComplete, onEdited }: MemberDialogProps) {
  const { data } = useRead(getUser, { query: { suid: member.suid } });
  const { run } = useWrite(editDetails, { invalidates: ['Member Profile'] });
  const { data: organisation } = useOrgLoginOptions();
  const attribute = usePrimaryAttribute();
  const details = data?.details;
  const form = useForm<FormValues, unknown, EditDetailsForm>({
    resolver: zodResolver(editDetailsForm),
    mode: 'onTouched',
    values: {
      newPrimaryAttr: member.primaryAttr,
      mobileNumber: details?.mobileNumber ?? '',
      managerSuid: details?.managerSuid ?? null,
      hasPermissionForMobileApp: member.hasPermissionForMobileApp,
      hasPermissionForWindowsApp: member.hasPermissionForWindowsApp,
    },
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, isDirty, isSubmitting, dirtyFields } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    // Send only changed fields, so that other people's changes aren't overwritten.
    const changed = Object.fromEntries(
      Object.entries(values).filter(([name]) => dirtyFields[name as keyof typeof dirtyFields]),
    );
    try {
      const { profile } = await run({ body: { suid: member.suid, ...changed } });
      toast.success(t`User updated successfully`);
      onClose();
      onEdited?.(profile);
    } catch (failure) {
      showRefusal(form, failure);
    }
  });
  const isLocked = details?.isProvisioned ?? false;
  const help = isLocked ? t`Your directory manages this field. Change it there.` : undefined;
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={t`Edit ${fullNameOf(member)}'s details`}
      size="lg"
      verb={t`Save`}
      onSubmit={submit}
      isDirty={isDirty && !isSubmitting}
      isPending={isSubmitting}
      error={errors.root?.message}
    >
      <FormField
        label={capitalize(attribute)}
        isRequired
        error={errors.newPrimaryAttr?.message}
        {...(help && { help })}
      >
        <Input {...form.register('newPrimaryAttr')} readOnly={isLocked} maxLength={254} autoComplete="off" />
      </FormField>
      <FormField
        label={t`Mobile number`}
        help={help ?? t`Optional. Include the country code.`}
        error={errors.mobileNumber?.message}
      >
        <Input
          {...form.register('mobileNumber')}
          type="tel"
          readOnly={isLocked}
          maxLength={40}
          autoComplete="off"
          placeholder="+46 70 123 45 67"
        />
      </FormField>
      <Controller
        control={form.control}
        name="managerSuid"
        render={({ field: { value, onChange } }) => (
          <ManagerField
            suid={value ?? undefined}
            onChange={(suid) => onChange(suid ?? null)}
            lockedBecause={help}
            error={errors.managerSuid?.message}
          />
        )}
      />
      {APP_SWITCHES.map(({ name, app, label }) => (
        <SwitchField
          key={name}
          control={form.control}
          name={name}
          label={label}
          ruling={appOverrideOf(app, organisation)}
        />
      ))}
    </FormModal>
  );
}
