import type { AppType, Member, Permission, Profile } from '@orchestrate/shared';
import { hasPermission } from '#lib/session/session.ts';

/**
 * Actions that the signed-in user can perform on a member. The client merely hides other actions, and the server
 * enforces the permissions.
 */
export interface MemberRights {
  isSelf: boolean;
  /**
   * False if the member has permissions that the user lacks. The user can then only view the member and email a code.
   */
  hasAuthority: boolean;
  canEdit: boolean;
  /** Whether the user can change the primary attribute, mobile number, manager and permitted apps. */
  canEditDetails: boolean;
  /** Whether the user can disable an active member or enable an inactive one. False for all other statuses. */
  canManage: boolean;
  canDelete: boolean;
  canReportLost: boolean;
  /** Whether the user can see and end the member's sessions. */
  canEndSignIns: boolean;
  /** Whether the user can generate and see a code, by app. */
  canGenerate: Record<AppType, boolean>;
  /** Whether the user can email a code, by app. Only the code's owner then sees it. */
  canEmail: Record<AppType, boolean>;
}

type Subject = Pick<Member, 'suid' | 'accountStatus'>;

const FOR_CODES: Record<AppType, readonly Permission[]> = {
  mobile: ['GENERATE_ACT_CODE'],
  desktop: ['GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'],
};

/**
 * Applies the permissions from spec 1 §6. Users don't need any permission for their own name and desktop code.
 * Deleted members can't be changed.
 * @param isWithinAuthority true if the profile has all permissions of the member's role (decision 062)
 */
export function memberRightsOf(
  profile: Profile | undefined,
  member: Subject,
  isWithinAuthority: boolean,
): MemberRights {
  const isSelf = profile?.suid === member.suid;
  const hasAuthority = isSelf || isWithinAuthority;
  const isThere = member.accountStatus !== 'deleted';
  const isSwitchable = member.accountStatus === 'active' || member.accountStatus === 'inactive';
  const may = (...needed: Permission[]) => isThere && needed.every((permission) => hasPermission(profile, permission));
  const mayMake = {
    mobile: may(...FOR_CODES.mobile),
    desktop: isSelf || may(...FOR_CODES.desktop),
  };
  const mayMail = may('SEND_ACT_CODE_EMAIL');
  return {
    isSelf,
    hasAuthority,
    canEdit: isSelf || (hasAuthority && may('UPDATE_USER')),
    canEditDetails: hasAuthority && may('UPDATE_USER'),
    canManage: hasAuthority && isSwitchable && may('PAUSE_USER'),
    canDelete: hasAuthority && may('REMOVE_USER'),
    canReportLost: hasAuthority && may(isSelf ? 'REPORT_LOST_DEVICE' : 'REPORT_LOST_DEVICE_FOR_OTHER_USERS'),
    canEndSignIns: !isSelf && hasAuthority && may('PAUSE_USER'),
    canGenerate: { mobile: hasAuthority && mayMake.mobile, desktop: hasAuthority && mayMake.desktop },
    canEmail: { mobile: mayMail && mayMake.mobile, desktop: mayMail && mayMake.desktop },
  };
}

/** Returns true if the user can generate or email a code for this app. */
export const hasCodeRights = ({ canGenerate, canEmail }: MemberRights, app: AppType): boolean =>
  canGenerate[app] || canEmail[app];
