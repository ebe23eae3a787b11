import type { invitationRepo } from '@orchestrate/db';
import { type AppType, hiddenCharacter, LIMITS, type ResultName, resultOf } from '@orchestrate/shared';
import { appPermissionObstacle } from '#core/device-keys/device-admission.ts';
import type { InviteRow } from './invite-row.ts';

/** How people are invited. */
export interface InviteOptions {
  type: AppType;
  sendEmail: boolean;
  /** Whether somebody whose invitation can still be used is sent another. */
  again: boolean;
  /** Whether somebody of whom only the address is known becomes a member, with a name made of it. */
  addNew: boolean;
}

/** The same for a check, which can come before the type is chosen. */
export type CheckOptions = Omit<InviteOptions, 'type'> & { type: AppType | undefined };

/** Lists in the reply that name the people who were not invited. */
export type FailedList = 'emailsNotExist' | 'desktopAppNotEnabled' | 'mobileAppNotEnabled';

/** What to do about a person; for `rejected` with a sentence that says why. */
export type Verdict =
  | { outcome: 'invite'; needsCode: boolean; needsMail: boolean }
  | { outcome: 'create' }
  /** A member who needs no invitation, because they have a device of this type or an invitation that still works. */
  | { outcome: 'unchanged'; has: 'device' | 'invitation' }
  /** Of a row of the same file; `of` is its line, if that was a row of the same batch. */
  | { outcome: 'duplicate'; of?: number }
  | { outcome: FailedList }
  | { outcome: 'rejected'; reason: string };

const rejected = (result: ResultName): Verdict => ({ outcome: 'rejected', reason: resultOf(result).sentence });

/** Why a member cannot be invited to an app. */
export function obstacleTo(
  type: AppType | undefined,
  invitee: Pick<invitationRepo.Invitee, 'accountStatus' | 'hasPermissionForMobileApp' | 'hasPermissionForWindowsApp'>,
): ResultName | undefined {
  if (invitee.accountStatus === 'inactive') return 'USER_INACTIVE';
  if (invitee.accountStatus === 'unverified') return 'MOBILE_UNVERIFIED';
  return type && appPermissionObstacle(type, invitee);
}

/**
 * Decides about somebody the organisation knows. Anyone with a device of that type needs no invitation; a code that can
 * still be used is kept, because it may just have been read aloud to somebody.
 */
export function judgeInvitee(invitee: invitationRepo.Invitee, { type, sendEmail, again }: CheckOptions): Verdict {
  const obstacle = obstacleTo(type, invitee);
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

/** Why a text is not an email address. */
export const malformedAddress = (text: string): string =>
  text.includes('@')
    ? 'This email address is incomplete or contains an invalid character.'
    : 'This is not an email address.';

/** The character that a decoder substitutes for bytes that are not of its encoding. */
const UNREADABLE = '\uFFFD';

/** Decides about somebody the organisation does not know: a row with their name and details makes them a member. */
export function judgeStranger(
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
