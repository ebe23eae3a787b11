import type { memberRepo } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import type { AuditFacts, AuditObject } from './record.ts';

type Named = Pick<memberRepo.MemberRow, 'suid' | 'firstName' | 'lastName'>;

export function memberObject({ suid, firstName, lastName }: Named): AuditObject<'member'> {
  return { type: 'member', id: suid, name: `${firstName} ${lastName}`.trim() };
}

/** What is edited of a member. */
export function memberFacts({ firstName, lastName, primaryEmail, roleCode }: memberRepo.MemberRow): AuditFacts {
  return { firstName, lastName, primaryEmail, roleCode };
}

/** A device, which concerns its owner. */
export function deviceObject({ zid, suid, name }: { zid: string; suid: string; name: string }): AuditObject<'device'> {
  return { type: 'device', id: zid, name, suid };
}

/** Somebody's activation code for one app: never the code itself. */
export function codeObject(member: Named, type: AppType): AuditObject<'activation-code'> {
  return { type: 'activation-code', id: `${member.suid} ${type}`, name: memberObject(member).name, suid: member.suid };
}
