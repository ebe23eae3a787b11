import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { deleteRole, listRoleActivity, type Permission, permissionLabel, type RoleItem } from '@orchestrate/shared';
import { Check, CopyPlus, Minus, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { LATEST_COUNT, LatestActivity } from '#features/audit/shared/latest-activity.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useCan, useSession } from '#lib/session/session.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { Modal } from '#ui/dialog/modal.tsx';
import { findInterruptedForm } from '#ui/editing/interrupted.ts';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { translateShared } from '#words/words.ts';
import { EditRoleDialog } from './edit-role-dialog.tsx';
import { memberCountText, permissionGroups, type RoleRights, roleRightsOf, roleTypeLabel } from './role-texts.ts';
import type { RoleDialogName, useRoleAddress } from './use-role-address.ts';

/** Read-only list of all permissions, with the role's permissions marked. */
function PermissionList({ held }: { held: readonly Permission[] }) {
  return (
    <Box columns={{ base: 1, xs: 2 }} columnGap="8">
      {permissionGroups.map(({ group, permissions }) => (
        <Box key={group} pb="5" breakInside="avoid">
          <chakra.h3 fontWeight="semibold" pb="1">
            {translateShared(group)}
          </chakra.h3>
          <chakra.ul aria-label={translateShared(group)} listStyleType="none">
            {permissions.map((permission) => {
              const isHeld = held.includes(permission);
              const Icon = isHeld ? Check : Minus;
              return (
                <Flex key={permission} as="li" gap="2.5" py="1" color={isHeld ? undefined : 'fg.muted'}>
                  <Box pt="0.5" color={isHeld ? 'success.fg' : 'fg.subtle'} flexShrink="0">
                    <Icon size={16} role="img" aria-label={isHeld ? t`Granted` : t`Not granted`} />
                  </Box>
                  {translateShared(permissionLabel(permission))}
                </Flex>
              );
            })}
          </chakra.ul>
        </Box>
      ))}
    </Box>
  );
}

interface RoleDialogProps {
  /** Undefined when creating a role. */
  role?: RoleItem | undefined;
  rights: RoleRights;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
  onDelete: () => void;
  /** Action that duplicates the role. Undefined without permission to create roles. */
  duplicate: { obstacle: string | undefined; ask: () => void } | undefined;
}

/** Returns true if the session ended while the role was being edited. */
const isInterrupted = ({ roleCode }: RoleItem) => findInterruptedForm(`role ${roleCode}`) !== undefined;

/** Shows a role's permissions and edits them on request, or creates a role. */
function RoleDialog({ role, rights, onDelete, duplicate, ...modal }: RoleDialogProps) {
  const maySeeActivity = useCan('UPDATE_CUSTOM_ROLES');
  const [isEditing, setIsEditing] = useState(() => role === undefined || isInterrupted(role));
  if (isEditing) return <EditRoleDialog {...modal} role={role} />;
  if (!role) return null;
  return (
    <Modal
      {...modal}
      size="lg"
      title={role.name}
      description={joinWithDots(
        roleTypeLabel(role.type),
        memberCountText(role.userCount),
        role.type !== 'custom' && t`Can't be changed`,
      )}
      footer={
        (rights.canEdit || rights.canDelete || duplicate) && (
          <Flex gap="2.5" flex="1" justify="space-between">
            {rights.canDelete ? (
              <ExplainedButton obstacle={rights.deleteObstacle} variant="outline" color="fg.error" onClick={onDelete}>
                <Trash2 aria-hidden />
                {t`Delete role`}
              </ExplainedButton>
            ) : (
              <span />
            )}
            <Flex gap="2.5" wrap="wrap" justify="flex-end">
              {duplicate && (
                <ExplainedButton obstacle={duplicate.obstacle} variant="outline" onClick={duplicate.ask}>
                  <CopyPlus aria-hidden />
                  {t`Duplicate role`}
                </ExplainedButton>
              )}
              {rights.canEdit && (
                <Button onClick={() => setIsEditing(true)}>
                  <Pencil aria-hidden />
                  {t`Edit role`}
                </Button>
              )}
            </Flex>
          </Flex>
        )
      }
    >
      <Flex direction="column" gap="4">
        <Text color="fg.muted">{plural(role.permissions.length, { one: '# permission', other: '# permissions' })}</Text>
        <PermissionList held={role.permissions} />
        {maySeeActivity && role.type === 'custom' && <RoleActivity roleCode={role.roleCode} />}
      </Flex>
    </Modal>
  );
}

function RoleActivity({ roleCode }: { roleCode: string }) {
  const read = useRead(listRoleActivity, { params: { roleCode }, query: { pageSize: LATEST_COUNT } });
  return <LatestActivity read={read} all={{ objectType: 'role', objectId: roleCode }} />;
}

interface DeleteRoleDialogProps {
  role: RoleItem;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Confirms deleting a custom role and explains what happens to its members. */
function DeleteRoleDialog({ role, onClose, ...dialog }: DeleteRoleDialogProps) {
  const { run, isPending, refusal } = useWrite(deleteRole, { invalidates: ['Roles', 'Member Profile'] });
  const confirm = async () => {
    try {
      await run({ body: { roleCode: role.roleCode } });
    } catch {
      return;
    }
    toast.success(t`Role deleted successfully`);
    onClose();
  };
  const consequence = plural(role.userCount, {
    one: 'Its # member becomes an Org User.',
    other: 'Its # members become Org Users.',
  });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t`Delete ${role.name}?`}
      verb={t`Delete role`}
      isDestructive
      isPending={isPending}
      consequences={[
        role.userCount === 0 ? t`No members have this role.` : consequence,
        t`They lose the permissions that only this role granted.`,
        t`This can't be undone.`,
      ].filter((_, at) => role.userCount > 0 || at !== 1)}
      error={refusal && resultText(refusal)}
    />
  );
}

interface RoleDialogsProps {
  roles: readonly RoleItem[];
  mayCreate: boolean;
  /** True if the organisation has reached the limit of custom roles. */
  isFull: boolean;
  address: ReturnType<typeof useRoleAddress>;
}

interface Shown {
  dialog: RoleDialogName;
  role: RoleItem | undefined;
}

const NO_RIGHTS: RoleRights = { canEdit: false, canDelete: false, deleteObstacle: undefined };

/** Renders the dialog in the URL. During the exit animation, the dialog keeps the role's last state. */
export function RoleDialogs({ roles, mayCreate, isFull, address }: RoleDialogsProps) {
  const profile = useSession()?.profile;
  const { dialog: name, roleCode } = address;
  const canCreate = mayCreate && !isFull;
  const requested = useMemo(
    () => dialogIn({ dialog: name, roleCode }, roles, canCreate),
    [name, roleCode, roles, canCreate],
  );
  const { shown, isOpen, forget } = useValueDuringExit(requested);
  if (!shown) return null;
  const { dialog, role } = shown;
  const rights = role ? roleRightsOf(profile, role) : NO_RIGHTS;
  const duplicateOf = (copied: RoleItem | undefined) =>
    mayCreate && copied
      ? { obstacle: isFull ? t`Custom Role Limit Reached` : undefined, ask: () => address.duplicate(copied.roleCode) }
      : undefined;
  const frame = { isOpen, onClose: address.close, onExitComplete: forget };
  if (dialog === 'delete') {
    return role && rights.canDelete && !rights.deleteObstacle ? (
      <DeleteRoleDialog key={`delete ${role.roleCode}`} role={role} {...frame} />
    ) : null;
  }
  if (dialog === 'duplicate') return <EditRoleDialog key={`copy ${role?.roleCode}`} copied={role} {...frame} />;
  return (
    <RoleDialog
      key={role?.roleCode ?? 'create'}
      role={role}
      rights={rights}
      duplicate={duplicateOf(role)}
      onDelete={() => role && address.askDelete(role.roleCode)}
      {...frame}
    />
  );
}

/** Returns the dialog in the URL if its role exists and the action is allowed. */
function dialogIn(
  { dialog, roleCode }: Pick<RoleDialogsProps['address'], 'dialog' | 'roleCode'>,
  roles: readonly RoleItem[],
  canCreate: boolean,
): Shown | null {
  if (dialog === null || (dialog === 'duplicate' && !canCreate)) return null;
  if (dialog === 'create') return canCreate ? { dialog, role: undefined } : null;
  const role = roles.find((known) => known.roleCode === roleCode);
  return role ? { dialog, role } : null;
}
