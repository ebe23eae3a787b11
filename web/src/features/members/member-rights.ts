import type { AppType, Member, Permission, Profile } from '@orchestrate/shared';
import { hasPermission } from '#lib/session/session.ts';

/** What the signed-in person may do to a member. The client hides by this; the server decides. */
export interface MemberRights {
  isSelf: boolean;
  /** Nobody acts on somebody with permissions that they lack themselves; they can still look, and mail a code. */
  hasAuthority: boolean;
  canEdit: boolean;
  /** To change the primary attribute, mobile number, manager and permitted apps. */
  canEditDetails: boolean;
  /** Active members can be disabled, inactive ones enabled; other statuses cannot be switched. */
  canManage: boolean;
  canDelete: boolean;
  canReportLost: boolean;
  /** To see where the member is signed in, and to end it. */
  canEndSignIns: boolean;
  /** To make a code and to see it. */
  canGenerate: Record<AppType, boolean>;
  /** To have a code mailed, which shows it to nobody but its owner. */
  canEmail: Record<AppType, boolean>;
}

type Subject = Pick<Member, 'suid' | 'accountStatus'>;

const FOR_CODES: Record<AppType, readonly Permission[]> = {
  mobile: ['GENERATE_ACT_CODE'],
  desktop: ['GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'],
};

/**
 * The permissions of spec 1 §6. One's own name and one's own desktop code need none; a deleted member stays unchanged.
 * @param isWithinAuthority whether the profile has all permissions of the member's role (decision 062)
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

/** Whether any action on the codes of an app is allowed. */
export const hasCodeRights = ({ canGenerate, canEmail }: MemberRights, app: AppType): boolean =>
  canGenerate[app] || canEmail[app];
