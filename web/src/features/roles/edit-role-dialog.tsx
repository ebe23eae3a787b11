import { Box, Flex, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { plural, t } from '@lingui/core/macro';
import {
  createRole,
  type RoleForm as Edited,
  editRole,
  type Permission,
  permissionLabel,
  type RoleItem,
  roleForm,
} from '@orchestrate/shared';
import { Controller, useForm } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useSession } from '#lib/session/session.ts';
import type { ModalProps } from '#ui/dialog/modal.tsx';
import type { Versioned } from '#ui/editing/drafts.ts';
import { type EditedField, textField } from '#ui/editing/three-way.ts';
import { useVersionedForm } from '#ui/editing/use-versioned-form.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Checkbox } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { translateShared } from '#words/words.ts';
import { grantObstacle, permissionGroups, withPermissions } from './role-texts.ts';

interface PermissionChoiceProps {
  chosen: readonly Permission[];
  /** The signed-in user's permissions. The user can grant and revoke only these. */
  own: readonly Permission[];
  onChange: (chosen: Permission[]) => void;
}

/** Checkboxes for all permissions, in groups that can be selected as a whole. */
function PermissionChoice({ chosen, own, onChange }: PermissionChoiceProps) {
  return (
    <Box columns={{ base: 1, xs: 2 }} columnGap="8">
      {permissionGroups.map(({ group, permissions }) => {
        const grantable = permissions.filter((permission) => !grantObstacle(own, permission));
        const held = permissions.filter((permission) => chosen.includes(permission));
        const isAll = grantable.every((permission) => chosen.includes(permission));
        return (
          <Flex
            key={group}
            role="group"
            aria-label={translateShared(group)}
            direction="column"
            pb="4"
            breakInside="avoid"
          >
            <Checkbox
              label={translateShared(group)}
              isStrong
              isChecked={held.length === permissions.length}
              isMixed={held.length > 0 && held.length < permissions.length}
              obstacle={grantable.length === 0 ? t`You can't grant any of these permissions` : undefined}
              onChange={() => onChange(withPermissions(chosen, grantable, !isAll))}
            />
            <Flex direction="column" ps="6.5">
              {permissions.map((permission) => (
                <Checkbox
                  key={permission}
                  label={translateShared(permissionLabel(permission))}
                  isChecked={chosen.includes(permission)}
                  obstacle={grantObstacle(own, permission)}
                  onChange={(isHeld) => onChange(withPermissions(chosen, [permission], isHeld))}
                />
              ))}
            </Flex>
          </Flex>
        );
      })}
    </Box>
  );
}

const fields: EditedField<Edited>[] = [
  textField(t`Name`, 'name'),
  {
    label: t`Permissions`,
    paths: ['permissions'],
    show: ({ permissions }) => permissions.map((permission) => translateShared(permissionLabel(permission))),
  },
];

const NAME_MAX_LENGTH = 60;

interface EditRoleDialogProps extends Pick<ModalProps, 'isOpen' | 'onClose' | 'onExitComplete'> {
  /** Role to edit, or undefined to create a role. */
  role?: RoleItem | undefined;
  /** Role whose permissions are copied to the new role. */
  copied?: RoleItem | undefined;
}

/** Edits a custom role's name and permissions. Permissions that the user can't grant are disabled. */
export function EditRoleDialog({ role, copied, ...modal }: EditRoleDialogProps) {
  const own = useSession()?.profile.permissions ?? [];
  const save = useSaveRole(role);
  const grantable = copied?.permissions.filter((permission) => grantObstacle(own, permission) === undefined);
  const proposed = copied ? t`Copy of ${copied.name}`.slice(0, NAME_MAX_LENGTH) : '';
  const values = { name: role?.name ?? proposed, permissions: role?.permissions ?? grantable ?? [] };
  const saved = { values, version: role?.version };
  const left = (copied?.permissions.length ?? 0) - (grantable?.length ?? 0);
  const form = useForm<Edited>({
    resolver: zodResolver(roleForm),
    mode: 'onTouched',
    defaultValues: saved.values,
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  const versioned = useVersionedForm<Edited>({
    form,
    name: copied ? `copy of role ${copied.roleCode}` : `role ${role?.roleCode ?? 'new'}`,
    saved,
    save,
    fields,
    formOf: ({ name, permissions }: Edited) => ({ name, permissions }),
  });

  const submit = form.handleSubmit(async (values) => {
    try {
      if (await versioned.save(values)) modal.onClose();
    } catch (failure) {
      const issue = failure instanceof ApiRefusal && failure.issues.find(({ path }) => path === 'name');
      if (issue) form.setError('name', { message: issue.message }, { shouldFocus: true });
      else form.setError('root', { message: refusalText(failure) });
    }
  });

  return (
    <FormModal
      {...modal}
      size="lg"
      title={role ? t`Edit ${role.name}` : copied ? t`Duplicate ${copied.name}` : t`Create role`}
      verb={role ? t`Save` : t`Create role`}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isSubmitting}
      canSubmit={isDirty || copied !== undefined}
      error={errors.root?.message}
    >
      {versioned.note}
      {left > 0 && (
        <AlertLine tone="info">
          {plural(left, {
            one: "# permission isn't copied because you can't grant it.",
            other: "# permissions aren't copied because you can't grant them.",
          })}
        </AlertLine>
      )}
      <FormField label={t`Name`} isRequired error={errors.name?.message}>
        <Input
          {...form.register('name')}
          maxLength={NAME_MAX_LENGTH}
          autoComplete="off"
          onFocus={({ target }) => copied && target.select()}
        />
      </FormField>
      <Flex direction="column" gap="2">
        <Text textStyle="sm" fontWeight="medium">
          {t`Permissions`}
        </Text>
        <Controller
          control={form.control}
          name="permissions"
          render={({ field }) => <PermissionChoice chosen={field.value} own={own} onChange={field.onChange} />}
        />
      </Flex>
      {versioned.conflict}
    </FormModal>
  );
}

/**
 * Saves a role, reports success, and refetches the roles and members.
 * @throws ApiRefusal
 */
function useSaveRole(role: RoleItem | undefined) {
  const create = useWrite(createRole, { invalidates: ['Roles', 'Member Profile'] });
  const edit = useWrite(editRole, { invalidates: ['Roles', 'Member Profile'] });
  return async (values: Edited, { version: ifMatch }: Versioned<Edited>): Promise<Versioned<Edited>> => {
    const { etag } = role
      ? await edit.run({ body: { roleCode: role.roleCode, ...values } }, { ifMatch })
      : await create.run({ body: values });
    toast.success(role ? t`Role updated successfully` : t`Role created successfully`);
    return { values, version: etag };
  };
}

function refusalText(failure: unknown): string {
  if (failure instanceof ApiRefusal && failure.resultName === 'ROLE_LIMIT_REACHED') return t`Custom Role Limit Reached`;
  return resultText(failure);
}
