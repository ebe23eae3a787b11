import { plural, t } from '@lingui/core/macro';
import {
  type AppType,
  deleteUser,
  getUser,
  inviteUsers,
  type Member,
  manageUser,
  type Permission,
  updateUser,
} from '@orchestrate/shared';
import { call } from '#lib/api/call.ts';
import { useSession } from '#lib/session/session.ts';
import { type MemberRights, memberRightsOf } from '../member-rights.ts';
import { useAuthority } from '../use-member-rights.ts';
import { HAS_DEVICE_REASON } from './use-invitation-check.ts';

export type BulkActionName = 'disable' | 'enable' | 'invite' | 'role' | 'delete';

/** Additional input for a bulk action. */
export interface BulkChoice {
  orgCode: string;
  roleCode: string;
  /** App to invite the members to. */
  app: AppType;
}

export interface BulkAction {
  name: BulkActionName;
  /** Button label. */
  verb: string;
  /** Returns the action's title for this number of members, e.g. 'Disable 4 members'. */
  phrase: (count: number) => string;
  /** Outcome displayed for a member on success. */
  done: string;
  needs: Permission;
  consequences: string[];
  isDestructive: boolean;
  /** Returns why the action doesn't apply to a member, or undefined if it does. */
  obstacleOf: (member: Member, rights: MemberRights, choice: Pick<BulkChoice, 'roleCode'>) => string | undefined;
  /**
   * Performs the action on one member.
   * @returns the reason if the action wasn't needed
   * @throws ApiRefusal
   */
  run: (member: Member, choice: BulkChoice) => Promise<string | undefined>;
}

const LACKING = t`Has permissions you don't have`;
const ALREADY_DELETED = t`Already deleted`;

const switchAccess =
  (action: 'pause' | 'unpause') =>
  async ({ suid }: Member) => {
    await call(manageUser, { body: { suid, action } });
    return undefined;
  };

/** Bulk actions. Each action calls the API separately for every member. */
export const BULK_ACTIONS: readonly BulkAction[] = [
  {
    name: 'disable',
    verb: t`Disable`,
    phrase: (count) => plural(count, { one: 'Disable # member', other: 'Disable # members' }),
    done: t`Disabled`,
    needs: 'PAUSE_USER',
    consequences: [
      t`They can no longer sign in on any device, and all their sessions end immediately.`,
      t`Their devices, roles and history are kept in case you enable them again.`,
    ],
    isDestructive: true,
    obstacleOf: ({ accountStatus }, { isSelf, hasAuthority }) => {
      if (isSelf) return t`You can't disable yourself`;
      if (accountStatus === 'inactive') return t`Already inactive`;
      if (accountStatus !== 'active')
        return accountStatus === 'deleted' ? ALREADY_DELETED : t`No device registered yet`;
      return hasAuthority ? undefined : LACKING;
    },
    run: switchAccess('pause'),
  },
  {
    name: 'enable',
    verb: t`Enable`,
    phrase: (count) => plural(count, { one: 'Enable # member', other: 'Enable # members' }),
    done: t`Enabled`,
    needs: 'PAUSE_USER',
    consequences: [t`They can sign in again with their registered devices.`],
    isDestructive: false,
    obstacleOf: ({ accountStatus }, { hasAuthority }) => {
      if (accountStatus !== 'inactive') return accountStatus === 'deleted' ? ALREADY_DELETED : t`Not inactive`;
      return hasAuthority ? undefined : LACKING;
    },
    run: switchAccess('unpause'),
  },
  {
    name: 'invite',
    verb: t`Resend invitation`,
    phrase: (count) => plural(count, { one: 'Resend # invitation', other: 'Resend # invitations' }),
    done: t`Invited`,
    needs: 'BULK_INVITE',
    consequences: [t`Each person gets an email with a new link. Earlier links stop working.`],
    isDestructive: false,
    obstacleOf: ({ accountStatus }) => {
      if (accountStatus === 'deleted') return ALREADY_DELETED;
      return accountStatus === 'inactive' ? t`Inactive` : undefined;
    },
    run: async ({ primaryEmail }, { app }) => {
      const body = { orgEmails: [primaryEmail], type: app, sendEmail: true };
      const { invited, rejected, ...refused } = await call(inviteUsers, { body });
      if (invited > 0) return undefined;
      if (refused.mobileAppNotEnabledCount > 0) return t`Can't use the mobile app`;
      if (refused.desktopAppNotEnabledCount > 0) return t`Can't use the desktop app`;
      return rejected[0] ? rejected[0].reason : HAS_DEVICE_REASON;
    },
  },
  {
    name: 'role',
    verb: t`Change role`,
    phrase: (count) => plural(count, { one: 'Change # role', other: 'Change # roles' }),
    done: t`Role changed`,
    needs: 'UPDATE_USER',
    consequences: [t`This replaces each member's current role, with immediate effect.`],
    isDestructive: false,
    obstacleOf: ({ accountStatus, role }, { isSelf, hasAuthority }, { roleCode }) => {
      if (isSelf) return t`You can't change your own role`;
      if (accountStatus === 'deleted') return ALREADY_DELETED;
      if (role === roleCode) return t`Already has this role`;
      return hasAuthority ? undefined : LACKING;
    },
    run: async ({ suid }, { roleCode }) => {
      // Fetch the member first, so that the update doesn't overwrite anyone else's changes.
      const { profile, etag } = await call(getUser, { query: { suid } });
      const { primaryAttr, firstName, lastName, primaryEmail } = profile;
      const body = { primaryAttr, firstName, lastName, primaryEmail, roles: roleCode };
      await call(updateUser, { body }, { ifMatch: etag });
      return undefined;
    },
  },
  {
    name: 'delete',
    verb: t`Delete`,
    phrase: (count) => plural(count, { one: 'Delete # member', other: 'Delete # members' }),
    done: t`Deleted`,
    needs: 'REMOVE_USER',
    consequences: [
      t`Their devices are removed and all their sessions end immediately.`,
      t`Their activation codes and invitations stop working.`,
      t`This can't be undone.`,
    ],
    isDestructive: true,
    obstacleOf: ({ accountStatus }, { isSelf, hasAuthority }) => {
      if (isSelf) return t`You can't delete yourself`;
      if (accountStatus === 'deleted') return ALREADY_DELETED;
      return hasAuthority ? undefined : LACKING;
    },
    run: async ({ suid }, { orgCode }) => {
      await call(deleteUser, { body: { suid, org: orgCode } });
      return undefined;
    },
  },
];

/** Returns a function that explains why the signed-in user can't perform an action on a member or doesn't need to. */
export function useBulkObstacle() {
  const profile = useSession()?.profile;
  const mayActOn = useAuthority();
  return (action: BulkAction, member: Member, choice: Pick<BulkChoice, 'roleCode'> = { roleCode: '' }) =>
    action.obstacleOf(member, memberRightsOf(profile, member, mayActOn(member.role)), choice);
}
