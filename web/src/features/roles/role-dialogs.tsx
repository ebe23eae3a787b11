import { t } from '@lingui/core/macro';
import type { RoleItem } from '@orchestrate/shared';
import { useMemo } from 'react';
import { useSession } from '../../lib/session/session.ts';
import { useValueDuringExit } from '../../ui/use-value-during-exit.ts';
import { DeleteRoleDialog } from './delete-role-dialog.tsx';
import { EditRoleDialog } from './edit-role-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { type RoleRights, roleRightsOf } from './role-rights.ts';
import type { RoleDialogName, useRoleAddress } from './use-role-address.ts';

interface RoleDialogsProps {
  roles: readonly RoleItem[];
  mayCreate: boolean;
  /** Whether there are as many custom roles as there can be. */
  isFull: boolean;
  address: ReturnType<typeof useRoleAddress>;
}

interface Shown {
  dialog: RoleDialogName;
  role: RoleItem | undefined;
}

const NO_RIGHTS: RoleRights = { canEdit: false, canDelete: false, deleteObstacle: undefined };

/**
 * Draws the dialog that the address asks for, and keeps it with the role's last state until its exit animation ends.
 */
export function RoleDialogs({ roles, mayCreate, isFull, address }: RoleDialogsProps) {
  const profile = useSession()?.profile;
  const { dialog: name, roleCode } = address;
  const canCreate = mayCreate && !isFull;
  const asked = useMemo(
    () => askedOf({ dialog: name, roleCode }, roles, canCreate),
    [name, roleCode, roles, canCreate],
  );
  const { shown, isOpen, forget } = useValueDuringExit(asked);
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

/** The dialog that the address asks for, if its role exists and the action is allowed. */
function askedOf(
  { dialog, roleCode }: Pick<RoleDialogsProps['address'], 'dialog' | 'roleCode'>,
  roles: readonly RoleItem[],
  canCreate: boolean,
): Shown | null {
  if (dialog === null || (dialog === 'duplicate' && !canCreate)) return null;
  if (dialog === 'create') return canCreate ? { dialog, role: undefined } : null;
  const role = roles.find((known) => known.roleCode === roleCode);
  return role ? { dialog, role } : null;
}
