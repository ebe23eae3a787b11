import type { invitationRepo } from '@orchestrate/db';
import {
  type AppType,
  hiddenCharacter,
  type InviteeCheck,
  LIMITS,
  type ResultName,
  resultOf,
} from '@orchestrate/shared';
import { appPermissionObstacle } from '#core/device-keys/device-admission.ts';
import type { InviteRow } from './invite-row.ts';

export interface InviteOptions {
  type: AppType;
  sendEmail: boolean;
  /** True if members who already have a usable invitation receive another. */
  again: boolean;
  /** True if unknown addresses become members with a name derived from the address. */
  addNew: boolean;
}

/** Options for a check, which can run before a device type is chosen. */
export type CheckOptions = Omit<InviteOptions, 'type'> & { type: AppType | undefined };

/** Reply fields that list the people who weren't invited. */
export type FailedList = 'emailsNotExist' | 'desktopAppNotEnabled' | 'mobileAppNotEnabled';

/** The decision about a person. `rejected` includes the reason as a sentence. */
export type Verdict =
  | { outcome: 'invite'; needsCode: boolean; needsMail: boolean }
  | { outcome: 'create' }
  /** The member needs no invitation because they have a device of this type or a usable invitation. */
  | { outcome: 'unchanged'; has: 'device' | 'invitation' }
  /** The row duplicates another in the same file. `of` is that row's line number if it was in the same batch. */
  | { outcome: 'duplicate'; of?: number }
  | { outcome: FailedList }
  | { outcome: 'rejected'; reason: string };

const rejected = (result: ResultName): Verdict => ({ outcome: 'rejected', reason: resultOf(result).sentence });

/** Returns the reason why a member can't be invited to an app, if any. */
export function inviteObstacle(
  type: AppType | undefined,
  invitee: Pick<invitationRepo.Invitee, 'accountStatus' | 'hasPermissionForMobileApp' | 'hasPermissionForWindowsApp'>,
): ResultName | undefined {
  if (invitee.accountStatus === 'inactive') return 'USER_INACTIVE';
  if (invitee.accountStatus === 'unverified') return 'MOBILE_UNVERIFIED';
  return type && appPermissionObstacle(type, invitee);
}

/**
 * Decides whether to invite an existing member. Members with a device of this type need no invitation. A usable code
 * is kept, because it may just have been read aloud.
 */
export function judgeInvitee(invitee: invitationRepo.Invitee, { type, sendEmail, again }: CheckOptions): Verdict {
  const obstacle = inviteObstacle(type, invitee);
  if (obstacle === 'MOBILE_APP_NOT_ENABLED') return { outcome: 'mobileAppNotEnabled' };
  if (obstacle === 'DESKTOP_APP_NOT_ENABLED') return { outcome: 'desktopAppNotEnabled' };
  if (obstacle) return rejected(obstacle);
  if (!type) return { outcome: 'invite', needsCode: false, needsMail: false };
  if (invitee.hasDevice) return { outcome: 'unchanged', has: 'device' };
  const needsCode = !invitee.hasCode;
  const needsMail = sendEmail && (again || !invitee.hasInvitation);
  return again || needsCode || needsMail
    ? { outcome: 'invite', needsCode, needsMail }
    : { outcome: 'unchanged', has: 'invitation' };
}

/** Returns the error for a value that isn't an email address. */
export const addressError = (text: string): string =>
  text.includes('@')
    ? 'This email address is incomplete or contains an invalid character.'
    : 'This is not an email address.';

/** Replacement character that decoders substitute for invalid bytes. */
const UNREADABLE = '\uFFFD';

/** Decides whether to invite an unknown person, who becomes a member if the row has their name and details. */
export function judgeNewPerson(
  { firstName, lastName, primaryAttr }: InviteRow,
  {
    isAttrTaken,
    isDomainAllowed,
    addNew,
  }: { isAttrTaken: boolean; isDomainAllowed: boolean } & Pick<InviteOptions, 'addNew'>,
): Verdict {
  if (!addNew && (!firstName || !lastName || !primaryAttr)) return { outcome: 'emailsNotExist' };
  const { personNameMaxLength: nameMax, primaryAttrMaxLength: attrMax } = LIMITS;
  if (firstName.length > nameMax || lastName.length > nameMax || primaryAttr.length > attrMax) {
    return { outcome: 'rejected', reason: 'A value in this row is too long.' };
  }
  if ([firstName, lastName, primaryAttr].some((text) => text.includes(UNREADABLE))) {
    return { outcome: 'rejected', reason: 'This row is not UTF-8 text. Save the file as “CSV UTF-8”.' };
  }
  const hidden = hiddenCharacter(firstName) ?? hiddenCharacter(lastName) ?? hiddenCharacter(primaryAttr);
  if (hidden) return { outcome: 'rejected', reason: `${hidden}.` };
  if (!isDomainAllowed) return rejected('INVALID_DOMAIN');
  if (isAttrTaken) return { outcome: 'rejected', reason: `Another member already uses “${primaryAttr}”.` };
  return { outcome: 'create' };
}

const UNCHANGED = {
  device: 'This person has already registered a device.',
  invitation: 'This person has already been invited.',
} as const;

/**
 * Describes a verdict for a check.
 * @param unknown why an unknown person can't be invited
 */
export function inviteeCheckOf(verdict: Verdict, unknown: string): Omit<InviteeCheck, 'email'> {
  switch (verdict.outcome) {
    case 'create':
      return { outcome: 'new' };
    case 'invite':
      return { outcome: 'member' };
    case 'unchanged':
      return { outcome: 'registered', reason: UNCHANGED[verdict.has] };
    case 'duplicate':
      return { outcome: 'duplicate' };
    case 'rejected':
      return { outcome: 'refused', reason: verdict.reason };
    case 'emailsNotExist':
      return { outcome: 'refused', reason: unknown };
    case 'mobileAppNotEnabled':
      return { outcome: 'refused', reason: resultOf('MOBILE_APP_NOT_ENABLED').sentence };
    case 'desktopAppNotEnabled':
      return { outcome: 'refused', reason: resultOf('DESKTOP_APP_NOT_ENABLED').sentence };
  }
}
