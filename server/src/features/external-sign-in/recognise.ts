import { externalIdentityRepo, memberRepo, type Tx } from '@orchestrate/db';
import { ExternalSignInFailed } from './failure.ts';
import type { ExternalPerson } from './identify-person.ts';

/** The member that an account at the provider signs in, and the link that identifies it; undefined the first time. */
export interface Recognised {
  member: memberRepo.MemberRow;
  identity: externalIdentityRepo.ExternalIdentityRow | undefined;
}

/**
 * The member meant: the one linked to issuer and subject, whatever the addresses are by now; the first time, the member
 * whose address both sides have verified.
 * @throws ExternalSignInFailed no-email, unverified-email, unknown-email, unproven-email; inactive, not-registered
 */
export function recognise(tx: Tx, orgCode: string, person: ExternalPerson): Recognised {
  const identity = externalIdentityRepo.findExternalIdentity(tx, orgCode, person);
  if (identity) {
    return { identity, member: requireActive(memberRepo.findMember(tx, orgCode, identity.suid), orgCode) };
  }
  if (person.email === '') throw new ExternalSignInFailed('no-email', orgCode);
  if (!person.isEmailVerified) throw new ExternalSignInFailed('unverified-email', orgCode);
  const member = requireActive(memberRepo.findMemberByEmail(tx, orgCode, person.email), orgCode);
  if (member.emailVerifiedAt === null) throw new ExternalSignInFailed('unproven-email', orgCode);
  return { identity, member };
}

function requireActive(member: memberRepo.MemberRow | undefined, orgCode: string): memberRepo.MemberRow {
  if (!member) throw new ExternalSignInFailed('unknown-email', orgCode);
  if (member.accountStatus === 'inactive') throw new ExternalSignInFailed('inactive', orgCode);
  if (member.accountStatus !== 'active') throw new ExternalSignInFailed('not-registered', orgCode);
  return member;
}
