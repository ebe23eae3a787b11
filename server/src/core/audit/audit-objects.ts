import type { memberRepo } from '@orchestrate/db';
import { type AppType, fullNameOf } from '@orchestrate/shared';
import type { AuditFacts, AuditObject } from './record.ts';

type Edited = memberRepo.MemberEdit;
type Named = Pick<memberRepo.MemberRow, 'suid' | 'firstName' | 'lastName'>;

/** A member, named as people know them. */
export function memberObject({ suid, firstName, lastName }: Named): AuditObject<'member'> {
  return { type: 'member', id: suid, name: fullNameOf({ firstName, lastName }) };
}

/** The editable fields of a member. */
export function memberFacts({ firstName, lastName, primaryEmail, emailVerifiedAt, roleCode }: Edited): AuditFacts {
  return { firstName, lastName, primaryEmail, emailVerified: emailVerifiedAt !== null, roleCode };
}

/** A member's address, current or requested. */
export function emailObject({ suid, email }: { suid: string; email: string }): AuditObject<'email'> {
  return { type: 'email', id: email, name: email, suid };
}

/** Records that a member's address is now verified, if it was not before. */
export function emailVerified(address: { suid: string; email: string }) {
  const facts = { before: { emailVerified: false }, after: { emailVerified: true } };
  return { action: 'email.verified' as const, object: emailObject(address), ...facts };
}

/** A device; it concerns its owner. */
export function deviceObject({ zid, suid, name }: { zid: string; suid: string; name: string }): AuditObject<'device'> {
  return { type: 'device', id: zid, name, suid };
}

/** A member's activation code for one app: never the code itself. */
export function codeObject(member: Named, type: AppType): AuditObject<'activation-code'> {
  return { type: 'activation-code', id: `${member.suid} ${type}`, name: memberObject(member).name, suid: member.suid };
}

/** The words of a mail in a language, English where none is given. */
export function mailTextObject({ name, language = 'en' }: { name: string; language?: string | undefined }) {
  // Events from before there were languages are about the English words.
  const id = language === 'en' ? name : `${name}.${language}`;
  return { type: 'mail-text', id, name: id } as const satisfies AuditObject;
}

/** The user agent that a browser sent, or a placeholder if it sent none. */
export const nameOfBrowser = ({ userAgent }: { userAgent: string }): string => userAgent || 'Unknown browser';
