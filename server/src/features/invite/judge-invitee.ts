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

/** Options of an invitation. */
export interface InviteOptions {
  type: AppType;
  sendEmail: boolean;
  /** True if members with a usable invitation receive another. */
  again: boolean;
  /** True if unknown addresses become members, with a name derived from the address. */
  addNew: boolean;
}

/** Options of a check, which can precede the choice of a type. */
export type CheckOptions = Omit<InviteOptions, 'type'> & { type: AppType | undefined };

/** Lists in the reply of people who weren't invited. */
export type FailedList = 'emailsNotExist' | 'desktopAppNotEnabled' | 'mobileAppNotEnabled';

/** Decision about a person; `rejected` has a sentence with the reason. */
export type Verdict =
  | { outcome: 'invite'; needsCode: boolean; needsMail: boolean }
  | { outcome: 'create' }
  /** Member who needs no invitation: they have a device of this type or a usable invitation. */
  | { outcome: 'unchanged'; has: 'device' | 'invitation' }
  /** Duplicates a row of the same file; `of` is its line if it was in the same batch. */
  | { outcome: 'duplicate'; of?: number }
  | { outcome: FailedList }
  | { outcome: 'rejected'; reason: string };

const rejected = (result: ResultName): Verdict => ({ outcome: 'rejected', reason: resultOf(result).sentence });

/** Returns why a member can't be invited to an app. */
export function inviteObstacle(
  type: AppType | undefined,
  invitee: Pick<invitationRepo.Invitee, 'accountStatus' | 'hasPermissionForMobileApp' | 'hasPermissionForWindowsApp'>,
): ResultName | undefined {
  if (invitee.accountStatus === 'inactive') return 'USER_INACTIVE';
  if (invitee.accountStatus === 'unverified') return 'MOBILE_UNVERIFIED';
  return type && appPermissionObstacle(type, invitee);
}

/**
 * Decides about a known member. Members with a device of the type need no invitation; a usable code is kept, because
 * it may just have been read aloud.
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

/** Returns why a text isn't an email address. */
export const malformedAddress = (text: string): string =>
  text.includes('@')
    ? 'This email address is incomplete or contains an invalid character.'
    : 'This is not an email address.';

/** Character that decoders substitute for invalid bytes. */
const UNREADABLE = '\uFFFD';

/** Decides about an unknown person: a row with their name and details makes them a member. */
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
  if (isAttrTaken) return { outcome: 'rejected', reason: `“${primaryAttr}” belongs to another member.` };
  return { outcome: 'create' };
}

const UNCHANGED = {
  device: 'Has already registered a device.',
  invitation: 'Has already been invited.',
} as const;

/** Describes a verdict for a check. @param unknown why an unknown person can't be invited. */
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
