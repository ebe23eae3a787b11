import { Button, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { listRoleActivity, type RoleItem } from '@orchestrate/shared';
import { CopyPlus, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { interruptedHere } from '../../editing/interrupted.ts';
import { LATEST, LatestActivity } from '../../events/latest-activity.tsx';
import { useRead } from '../../lib/api/use-read.ts';
import { dotted } from '../../lib/format/dotted.ts';
import { useCan } from '../../lib/session/session.ts';
import { Modal } from '../../ui/modal.tsx';
import { ObstructedButton } from '../../ui/obstructed-button.tsx';
import { EditRoleDialog } from './edit-role-dialog.tsx';
import { PermissionList } from './permission-list.tsx';
import type { RoleRights } from './role-rights.ts';
import { membersText, roleTypeLabel } from './role-texts.ts';

interface RoleDialogProps {
  /** Absent for a new role. */
  role?: RoleItem | undefined;
  rights: RoleRights;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
  onDelete: () => void;
  /** Makes a role from this one; absent for people who may not create roles. */
  duplicate: { obstacle: string | undefined; ask: () => void } | undefined;
}

/** Whether a session ended while it was being edited. */
const isInterrupted = ({ roleCode }: RoleItem) => interruptedHere(`role ${roleCode}`) !== undefined;

/** The permissions of a role, read-only or editable; or a new role. */
export function RoleDialog({ role, rights, onDelete, duplicate, ...modal }: RoleDialogProps) {
  const maySeeActivity = useCan('UPDATE_CUSTOM_ROLES');
  const [isEditing, setIsEditing] = useState(() => role === undefined || isInterrupted(role));
  if (isEditing) return <EditRoleDialog {...modal} role={role} />;
  if (!role) return null;
  return (
    <Modal
      {...modal}
      size="lg"
      title={role.name}
      description={dotted(
        roleTypeLabel(role.type),
        membersText(role.userCount),
        role.type !== 'custom' && t`cannot be changed`,
      )}
      footer={
        (rights.canEdit || rights.canDelete || duplicate) && (
          <Flex gap="2.5" flex="1" justify="space-between">
            {rights.canDelete ? (
              <ObstructedButton obstacle={rights.deleteObstacle} variant="outline" color="fg.error" onClick={onDelete}>
                <Trash2 aria-hidden />
                {t`Delete role`}
              </ObstructedButton>
            ) : (
              <span />
            )}
            <Flex gap="2.5" wrap="wrap" justify="flex-end">
              {duplicate && (
                <ObstructedButton obstacle={duplicate.obstacle} variant="outline" onClick={duplicate.ask}>
                  <CopyPlus aria-hidden />
                  {t`Duplicate role`}
                </ObstructedButton>
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
  const read = useRead(listRoleActivity, { params: { roleCode }, query: { pageSize: LATEST } });
  return <LatestActivity read={read} all={{ objectType: 'role', objectId: roleCode }} />;
}
