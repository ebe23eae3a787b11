import type { memberRepo } from '@orchestrate/db';
import { type AppType, fullNameOf } from '@orchestrate/shared';
import type { AuditFacts, AuditObject } from './record.ts';

type Edited = memberRepo.MemberEdit;
type Named = Pick<memberRepo.MemberRow, 'suid' | 'firstName' | 'lastName'>;

/** Returns a member as an audit object, with the full name. */
export function memberObject({ suid, firstName, lastName }: Named): AuditObject<'member'> {
  return { type: 'member', id: suid, name: fullNameOf({ firstName, lastName }) };
}

/** Returns a member's editable fields as audit facts. */
export function memberFacts({ firstName, lastName, primaryEmail, emailVerifiedAt, roleCode }: Edited): AuditFacts {
  return { firstName, lastName, primaryEmail, emailVerified: emailVerifiedAt !== null, roleCode };
}

/** Returns a member's current or requested email address as an audit object. */
export function emailObject({ suid, email }: { suid: string; email: string }): AuditObject<'email'> {
  return { type: 'email', id: email, name: email, suid };
}

/** Returns the audit entry for a newly verified email address. */
export function emailVerifiedEntry(address: { suid: string; email: string }) {
  const facts = { before: { emailVerified: false }, after: { emailVerified: true } };
  return { action: 'email.verified' as const, object: emailObject(address), ...facts };
}

/** Returns a device as an audit object, linked to its owner. */
export function deviceObject({ zid, suid, name }: { zid: string; suid: string; name: string }): AuditObject<'device'> {
  return { type: 'device', id: zid, name, suid };
}

/** Returns a member's activation code for an app as an audit object, without the code itself. */
export function codeObject(member: Named, type: AppType): AuditObject<'activation-code'> {
  return { type: 'activation-code', id: `${member.suid} ${type}`, name: memberObject(member).name, suid: member.suid };
}

/** Returns an email template in a language (default: English) as an audit object. */
export function mailTextObject({ name, language = 'en' }: { name: string; language?: string | undefined }) {
  // English has no suffix, because older events have no language.
  const id = language === 'en' ? name : `${name}.${language}`;
  return { type: 'mail-text', id, name: id } as const satisfies AuditObject;
}

/** Returns the browser's user agent, or a placeholder if the user agent is empty. */
export const browserName = ({ userAgent }: { userAgent: string }): string => userAgent || 'Unknown browser';
