import { Button, chakra, Flex, Input, Skeleton } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type EditUserForm as Edited,
  editUserForm,
  getUser,
  listRoles,
  type Member,
  type StaleBody,
  updateUser,
} from '@orchestrate/shared';
import { useEffect, useRef } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { Replied } from '#lib/api/call.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { showRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { type EditedField, textField } from '#ui/editing/three-way.ts';
import { useVersionedForm } from '#ui/editing/use-versioned-form.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { NameFields } from './name-fields.tsx';
import { RoleSelect } from './role-select.tsx';

export type EditedPerson = Pick<Member, 'suid' | 'primaryAttr'>;

interface EditUserFormProps {
  person: EditedPerson;
  /** Undefined if the role can't be edited, i.e. in the user's own profile. */
  role?: { roleCode: string; name: string } | undefined;
  onCancel: () => void;
  /** Called when the form starts or stops having unsaved changes. */
  onDirty: (isDirty: boolean) => void;
  /** Called after saving. `isWaiting` is true if the user's own new email address still has to be verified. */
  onSaved: (member: Member, isWaiting: boolean) => void;
}

/** Edits a member's name, email and role, with the messages from spec 1 §5. Saving requires a change. */
export function EditUserForm(props: EditUserFormProps) {
  const { data, refusal, refetch } = useRead(getUser, { query: { suid: props.person.suid } });
  if (data) return <LoadedForm {...props} read={data} />;
  if (refusal) return <RefusalState refusal={refusal} onRetry={refetch} level="h3" />;
  return (
    <Flex direction="column" gap="5" role="status" aria-label={t`Loading member`}>
      <Flex gap="4" direction={{ base: 'column', xs: 'row' }}>
        <Skeleton {...FIELD} />
        <Skeleton {...FIELD} />
      </Flex>
      <Skeleton {...FIELD} />
      {props.role && <Skeleton {...FIELD} />}
      <Skeleton h="9" w="36" borderRadius="l2" alignSelf="flex-end" mt="1" />
    </Flex>
  );
}

/** Size of a skeleton field with its label. */
const FIELD = { h: '62px', flexGrow: 1, flexShrink: 0, borderRadius: 'l2' } as const;

interface LoadedFormProps extends EditUserFormProps {
  read: Replied<typeof getUser>;
}

function LoadedForm({ person, role, onCancel, onDirty, onSaved, read }: LoadedFormProps) {
  const save = useSaveUser();
  const { data: roles } = useRead(listRoles, {});
  const withRole = role !== undefined;
  const saved = { values: memberFormOf(read.profile, { withRole }), version: read.etag };
  const form = useForm<Edited>({
    resolver: zodResolver(editUserForm),
    mode: 'onTouched',
    defaultValues: saved.values,
  });
  const { errors, isDirty, dirtyFields, isSubmitting } = form.formState;
  useEffect(() => onDirty(isDirty && !isSubmitting), [onDirty, isDirty, isSubmitting]);
  const { setFocus } = form;
  // Move focus once the form is loaded. Until then, only the dialog's Close button can have focus.
  useEffect(() => {
    if (!(document.activeElement instanceof HTMLInputElement)) setFocus('firstName');
  }, [setFocus]);
  const edited = useRef<SavedUser>(null);
  const versioned = useVersionedForm<Edited>({
    form,
    name: `${withRole ? 'member' : 'profile'} ${person.suid}`,
    saved,
    fields: memberFields((code) => roles?.Items.find(({ roleCode }) => roleCode === code)?.name ?? code),
    formOf: ({ roles: present, roleName: _name, ...names }: StaleBody<typeof updateUser>['current']) => ({
      ...names,
      ...(withRole && { roles: present }),
    }),
    save: async ({ roles: chosen, ...names }, base) => {
      // Don't send an unchanged role, because the user might not be allowed to grant it.
      const values = chosen === base.values.roles ? names : { ...names, roles: chosen };
      const user = await save(person.primaryAttr, values, { isSelf: !role, ifMatch: base.version });
      edited.current = user;
      return { values: memberFormOf(user.member, { withRole }), version: user.version };
    },
  });

  const submit = form.handleSubmit(async (values) => {
    try {
      const isSaved = (await versioned.save(values)) !== undefined;
      if (isSaved && edited.current) onSaved(edited.current.member, edited.current.isWaiting);
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'EMAIL_EXISTS')
        form.setError('primaryEmail', { message: t`Email already exists` }, { shouldFocus: true });
      else showRefusal(form, failure);
    }
  });

  return (
    <chakra.form noValidate onSubmit={(event) => void submit(event)} display="flex" flexDirection="column" gap="5">
      {versioned.note}
      <NameFields
        first={{ ...form.register('firstName'), error: errors.firstName?.message }}
        last={{ ...form.register('lastName'), error: errors.lastName?.message }}
      />
      <FormField
        label={t`Email`}
        isRequired
        error={errors.primaryEmail?.message}
        {...(dirtyFields.primaryEmail && {
          help: role
            ? t`The new address takes effect immediately but isn't verified yet. Any activation code sent to the old address stops working.`
            : t`We'll send a code to the new address. Your address changes when you enter the code.`,
        })}
      >
        <Input {...form.register('primaryEmail')} type="email" inputMode="email" maxLength={254} autoComplete="off" />
      </FormField>
      {role && (
        <FormField label={t`Role`} isRequired error={errors.roles?.message}>
          <Controller
            control={form.control}
            name="roles"
            render={({ field: select }) => <RoleSelect present={role} {...select} />}
          />
        </FormField>
      )}
      {errors.root && <AlertLine>{errors.root.message}</AlertLine>}
      <Flex gap="2.5" justify="flex-end" pt="1">
        <Button type="button" variant="outline" onClick={onCancel}>
          {t`Cancel`}
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isSubmitting} loadingText={t`Save`}>
          {t`Save`}
        </Button>
      </Flex>
      {versioned.conflict}
    </chakra.form>
  );
}

/** Returns a member's form values, including the role if it can be edited. */
function memberFormOf(member: Member, { withRole }: { withRole: boolean }): Edited {
  const { firstName, lastName, primaryEmail, role } = member;
  return { firstName, lastName, primaryEmail, ...(withRole && { roles: role }) };
}

/**
 * Returns the fields compared in the conflict dialog when two people edit a member at the same time.
 * @param nameOf returns a role's name
 */
const memberFields = (nameOf: (roleCode: string) => string): EditedField<Edited>[] => [
  textField(t`First Name`, 'firstName'),
  textField(t`Last Name`, 'lastName'),
  textField(t`Email`, 'primaryEmail'),
  { label: t`Role`, paths: ['roles'], show: ({ roles }) => (roles ? nameOf(roles) : '') },
];

interface SavedUser {
  member: Member;
  /** True if the new email address still has to be verified with the emailed code. */
  isWaiting: boolean;
  /** The member's new version for `If-Match`. */
  version: string | undefined;
}

/**
 * Saves an edited member (POST user/update) based on a version and reports success.
 * @throws ApiRefusal
 */
function useSaveUser() {
  const { run } = useWrite(updateUser, { invalidates: ['Member Profile'] });
  return async (
    primaryAttr: string,
    values: Edited,
    { isSelf, ifMatch }: { isSelf: boolean; ifMatch: string | undefined },
  ): Promise<SavedUser> => {
    const { profile: member, pendingEmail, etag } = await run({ body: { ...values, primaryAttr } }, { ifMatch });
    // A user's own new email address takes effect only after they enter the code.
    const isWaiting = isSelf && pendingEmail !== null && pendingEmail.email === values.primaryEmail;
    if (isWaiting) toast.success(t`Code sent to ${pendingEmail.email}`);
    else toast.success(isSelf ? t`Profile updated successfully` : t`User updated successfully`);
    return { member, isWaiting, version: etag };
  };
}
