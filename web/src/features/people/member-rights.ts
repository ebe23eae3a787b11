import type { AppType, Member, Permission, Profile } from '@orchestrate/shared';
import { hasPermission } from '../../lib/session.ts';

/** What the signed-in person may do to a member. The client hides with it; the server decides. */
export interface MemberRights {
  isSelf: boolean;
  canEdit: boolean;
  /** An active member can be disabled, an inactive one enabled; of any other there is nothing to switch off or on. */
  canManage: boolean;
  canDelete: boolean;
  canGenerate: Record<AppType, boolean>;
  canEmail: boolean;
}

type Subject = Pick<Member, 'suid' | 'accountStatus'>;

/** The permissions of spec 1 §6. One's own name and one's own desktop code need none; a deleted member stays as he is. */
export function memberRightsOf(profile: Profile | undefined, member: Subject): MemberRights {
  const isSelf = profile?.suid === member.suid;
  const isThere = member.accountStatus !== 'deleted';
  const isSwitchable = member.accountStatus === 'active' || member.accountStatus === 'inactive';
  const may = (...needed: Permission[]) => isThere && needed.every((permission) => hasPermission(profile, permission));
  return {
    isSelf,
    canEdit: isSelf || may('UPDATE_USER'),
    canManage: isSwitchable && may('PAUSE_USER'),
    canDelete: may('REMOVE_USER'),
    canGenerate: {
      mobile: may('GENERATE_ACT_CODE'),
      desktop: isSelf || may('GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'),
    },
    canEmail: may('SEND_ACT_CODE_EMAIL'),
  };
}
