import { setImmediate } from 'node:timers/promises';
import { memberFilterRepo, memberRepo, roleRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import type { SamlApplication } from './find-saml-application.ts';
import type { NamedSubject } from './parse-message.ts';
import { pairwiseIdOf } from './saml-ids.ts';
import { isNamed, isPairwise } from './saml-subject.ts';
import { planUnsolicited } from './sign-in-request.ts';

/** Members read before others have their turn. */
const SLICE = 2_000;

/**
 * Finds the member that an application names by name id or email address. A name id written by a template is found only
 * if it equals a field that identifies a member.
 */
export async function findNamedMember(
  deps: Deps,
  found: SamlApplication,
  { nameId, format }: Pick<NamedSubject, 'nameId' | 'format'>,
): Promise<memberRepo.MemberRow | undefined> {
  const { db } = deps;
  const { application, organisation, provider } = found;
  const { orgCode } = application;
  const usualFormat = planUnsolicited(found).request.nameIdFormat;
  const candidates = [
    memberRepo.findMemberByEmail(db, orgCode, nameId.toLowerCase()),
    memberRepo.findMember(db, orgCode, nameId),
    memberRepo.findMemberByPrimaryAttr(db, orgCode, nameId),
  ];
  const named = candidates.find((member) => {
    if (!member || member.accountStatus === 'deleted') return false;
    const role = roleRepo.findRole(db, orgCode, member.roleCode);
    return isNamed({ deps, member, role, organisation, provider }, { nameId, format }, usualFormat);
  });
  if (named || !isPairwise(provider, format || usualFormat)) return named;
  return findByPseudonym(deps, found, nameId);
}

/** A pseudonym is derived from its member, and not stored. */
async function findByPseudonym(
  deps: Deps,
  { application, organisation }: SamlApplication,
  nameId: string,
): Promise<memberRepo.MemberRow | undefined> {
  const { db } = deps;
  const find = memberFilterRepo.memberFinder(db, {});
  const { after, upTo } = memberFilterRepo.idsOfMembers(db, organisation);
  for (let start = after; start < upTo; start += SLICE) {
    if (start > after) await setImmediate();
    const ids = find({ after: start, upTo: Math.min(start + SLICE, upTo) }).map(({ id }) => id);
    const members = memberFilterRepo.listMembersByIds(db, organisation, ids);
    const named = members.find(({ suid }) => pairwiseIdOf(deps, application, suid) === nameId);
    if (named) return named;
  }
  return undefined;
}
