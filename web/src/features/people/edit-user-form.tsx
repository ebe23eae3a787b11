import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { type EditUserForm as Edited, editUserForm, type Member } from '@orchestrate/shared';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { ApiRefusal } from '../../lib/api-refusal.ts';
import { resultText } from '../../lib/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { editedOf, mergeEdit } from './merge-edit.ts';
import { RoleSelect } from './role-select.tsx';
import { readPresent, useSaveUser } from './use-save-user.ts';

export type EditedPerson = Pick<Member, 'suid' | 'primaryAttr' | 'firstName' | 'lastName' | 'primaryEmail'>;

interface EditUserFormProps {
  person: EditedPerson;
  /** Absent where the role is not edited: on one's own profile. */
  role?: { roleCode: string; name: string } | undefined;
  onCancel: () => void;
  /** `isWaiting`: one's own new address waits for its code. */
  onSaved: (member: Member, isWaiting: boolean) => void;
}

/** Name, e-mail and role, in the words of spec 1 §5; nothing can be saved before something was changed. */
export function EditUserForm({ person, role, onCancel, onSaved }: EditUserFormProps) {
  const save = useSaveUser();
  const { firstName, lastName, primaryEmail } = person;
  // What the fields are compared with: what the member was when they were filled, or when a conflict was shown.
  const [known, setKnown] = useState<Edited>({
    ...{ firstName, lastName, primaryEmail },
    ...(role && { roles: role.roleCode }),
  });
  const form = useForm<Edited>({
    resolver: zodResolver(editUserForm),
    mode: 'onTouched',
    defaultValues: known,
  });
  const { errors, isDirty, dirtyFields, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      const present = editedOf(await readPresent(person.suid), { withRole: Boolean(role) });
      const { merged, conflicts } = mergeEdit(known, present, values);
      if (conflicts.length === 0) {
        const { member, isWaiting } = await save(person.primaryAttr, merged, { isSelf: !role });
        if (isWaiting) form.reset(editedOf(member, { withRole: Boolean(role) }));
        return onSaved(member, isWaiting);
      }
      setKnown(present);
      form.reset(present, { keepDirtyValues: true });
      for (const field of conflicts)
        form.setError(field, {
          message: `Meanwhile somebody changed this to “${present[field]}”. Save again to replace it.`,
        });
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'EMAIL_EXISTS')
        form.setError('primaryEmail', { message: 'Email already exists' }, { shouldFocus: true });
      else if (failure instanceof ApiRefusal && failure.resultName === 'INVALID_DOMAIN')
        form.setError(
          'primaryEmail',
          { message: failure.issues[0]?.message ?? resultText(failure) },
          { shouldFocus: true },
        );
      else form.setError('root', { message: resultText(failure) });
    }
  });

  return (
    <chakra.form noValidate onSubmit={(event) => void submit(event)} display="flex" flexDirection="column" gap="5">
      <Flex gap="4" direction={{ base: 'column', xs: 'row' }}>
        <FormField label="First Name" isRequired error={errors.firstName?.message}>
          <Input {...form.register('firstName')} maxLength={100} autoComplete="off" />
        </FormField>
        <FormField label="Last Name" isRequired error={errors.lastName?.message}>
          <Input {...form.register('lastName')} maxLength={100} autoComplete="off" />
        </FormField>
      </Flex>
      <FormField
        label="Email"
        isRequired
        error={errors.primaryEmail?.message}
        {...(dirtyFields.primaryEmail && {
          help: role
            ? 'The new address counts at once, and as not verified. An activation code sent to the old one stops working.'
            : 'We send a code to the new address. Your address changes once you enter it.',
        })}
      >
        <Input {...form.register('primaryEmail')} type="email" inputMode="email" maxLength={254} autoComplete="off" />
      </FormField>
      {role && (
        <FormField label="Role" isRequired error={errors.roles?.message}>
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
          Cancel
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isSubmitting} loadingText="Save changes">
          Save changes
        </Button>
      </Flex>
    </chakra.form>
  );
}
