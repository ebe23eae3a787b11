import type { memberRepo } from '@orchestrate/db';
import type { AuditFacts, AuditObject } from './record.ts';

type Named = Pick<memberRepo.MemberRow, 'suid' | 'firstName' | 'lastName'>;

export function memberObject({ suid, firstName, lastName }: Named): AuditObject<'member'> {
  return { type: 'member', id: suid, name: `${firstName} ${lastName}`.trim() };
}

/** What is edited of a member. */
export function memberFacts({ firstName, lastName, primaryEmail, roleCode }: memberRepo.MemberRow): AuditFacts {
  return { firstName, lastName, primaryEmail, roleCode };
}
