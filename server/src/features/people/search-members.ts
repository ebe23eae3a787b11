import { memberListRepo, type memberRepo, memberSearchRepo, organisationRepo } from '@orchestrate/db';
import { type contract, LIMITS } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Call } from '../../platform/http/implement.ts';
import { readPageKey } from '../../platform/http/requests/page-key.ts';
import { Refusal } from '../../platform/refusal.ts';

const searchKey = z.object({ primaryAttr: z.string(), id: z.string().regex(/^[1-9]\d{0,15}$/) });

export interface SearchPage {
  found: memberListRepo.ListedMember[];
  /** The last member of this page, after whom the next page begins; absent if there is none. */
  last?: memberRepo.MemberRow;
}

/**
 * A page of the members that match a text, or of all those with a status.
 * @throws Refusal INVALID_REQUEST for a field that cannot be searched, for an invalid page key, and where neither text
 * nor status is given
 */
export function searchMembers(
  { db }: Deps,
  orgCode: string,
  { q: text, field, status, pageSize, lastItem }: Call<typeof contract.searchUsers>['query'],
): SearchPage {
  if (text === undefined && status === undefined) {
    const message = `At least ${LIMITS.searchMinLength} characters, or a status`;
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'q', message }] });
  }
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
  const rows = memberSearchRepo.searchMembers(db, organisation, {
    field: readField(field, organisation),
    text,
    status,
    after: lastItem === undefined ? undefined : Number(readPageKey(searchKey, lastItem).id),
    // One extra row shows whether there is a next page.
    count: pageSize + 1,
  });
  const page = rows.slice(0, pageSize);
  return {
    found: memberListRepo.summariseMembers(db, orgCode, page),
    last: rows.length > pageSize ? page.at(-1) : undefined,
  };
}

/** The organisation chooses the name of its primary attribute: whatever that name is, it means that attribute. */
function readField(name: string, { primaryAttrField }: organisationRepo.OrganisationRow): memberSearchRepo.SearchField {
  if (name === primaryAttrField) return 'primaryAttr';
  if (name === 'firstName' || name === 'lastName' || name === 'primaryEmail') return name;
  const fields = `firstName, lastName, primaryEmail, ${primaryAttrField}`;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'field', message: `One of ${fields}` }] });
}
