import { challengeRepo, deviceRepo, memberRepo } from '@orchestrate/db';
import { findSessionByRefreshToken } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';

/** The person and organisation that a journal entry is about. */
export interface Person {
  email?: string;
  org?: string;
}

/** Fields that can contain a person's email address, most reliable first. */
const EMAIL_FIELDS = ['email', 'primaryEmail', 'primaryAttr', 'as', 'userName', 'login_hint', 'to'];
const ORG_FIELDS = ['orgCode', 'org', 'orgId'];
/** Fields that contain the ID of a request to a device. */
const REQUEST_FIELDS = ['loginId', 'challengeId', 'approvalId'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const known = (text: string | undefined): string | undefined => text?.trim().toLowerCase() || undefined;

/** Matches a member's ID in a SCIM path (RFC 7644 §3.2). */
const RESOURCE = /^Users\/([^/]+)/;
/** Matches an email address in a SCIM filter, e.g. `userName eq "ann@acme.test"` (RFC 7644 §3.4.2.2). */
const LOOKED_FOR = /"([^"\s]+@[^"\s]+)"/;

/**
 * Finds the person that an exchange identifies, by email address, device, session, request or member ID.
 * @param parts values to search, most reliable first
 */
export function personIn(deps: Deps, parts: readonly unknown[]): Person {
  const { db } = deps;
  const fields = parts.map(fieldsOf);
  const values = (names: readonly string[]) => fields.flatMap((part) => names.map((name) => textOf(part[name])));
  const org = known(values(ORG_FIELDS).find(Boolean));
  const email = known(
    values(EMAIL_FIELDS).find((text) => text.includes('@')) ?? LOOKED_FOR.exec(values(['filter']).join(' '))?.[1],
  );
  if (email) return personOf(email, org ?? memberRepo.listMembersByEmail(db, email)[0]?.orgCode);

  for (const id of values(REQUEST_FIELDS).filter(Boolean)) {
    const request = challengeRepo.findChallengeBySecretId(db, id);
    if (request) return ofMember(request.orgCode, request.suid);
  }
  for (const token of values(['refreshToken']).filter(Boolean)) {
    const session = findSessionByRefreshToken(deps, token);
    if (session) return ofMember(session.orgCode, session.suid);
  }
  for (const zid of values(['zid']).filter(Boolean)) {
    const device = deviceRepo.findClaimedDevice(db, zid);
    if (device) return ofMember(device.orgCode, device.suid);
  }
  const suid = values(['suid']).find(Boolean) ?? RESOURCE.exec(values(['*']).find(Boolean) ?? '')?.[1];
  return org && suid ? ofMember(org, suid) : personOf(undefined, org);

  function ofMember(orgCode: string, suid: string | null): Person {
    return personOf(suid ? memberRepo.findMember(db, orgCode, suid)?.primaryEmail.toLowerCase() : undefined, orgCode);
  }
}

export const personOf = (email: string | undefined, org: string | undefined): Person => ({
  ...(email !== undefined && { email }),
  ...(org !== undefined && { org }),
});
