import { memberEverywhereRepo, memberListRepo, memberSearchRepo, organisationRepo } from '@orchestrate/db';
import { type contract, LIMITS } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Call } from '../../platform/http/implement.ts';
import { readPageKey } from '../../platform/http/requests/page-key.ts';
import { Refusal } from '../../platform/refusal.ts';

const searchKey = z.object({
  primaryAttr: z.string(),
  id: z.string().regex(/^[1-9]\d{0,15}$/),
  part: z.number().int().min(0).max(1_000).default(0),
});

export interface SearchPage {
  found: memberListRepo.ListedMember[];
  /** Where the next page begins; absent after the last one. */
  next?: z.input<typeof searchKey>;
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
  const after = lastItem === undefined ? undefined : readPageKey(searchKey, lastItem);
  const searched = readField(field, organisation);
  if (searched === 'any' && text !== undefined) {
    const place = after && { part: after.part, id: Number(after.id) };
    const { rows, next } = memberEverywhereRepo.searchEverywhere(db, organisation, {
      text,
      status,
      count: pageSize,
      after: place,
    });
    return {
      found: memberListRepo.summariseMembers(db, orgCode, rows),
      ...(next && { next: { primaryAttr: rows.at(-1)?.primaryAttr ?? '', id: String(next.id), part: next.part } }),
    };
  }
  const rows = memberSearchRepo.searchMembers(db, organisation, {
    // All of a status are the same in every field.
    field: searched === 'any' ? 'firstName' : searched,
    text,
    status,
    after: after && Number(after.id),
    // One extra row shows whether there is a next page.
    count: pageSize + 1,
  });
  const page = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? page.at(-1) : undefined;
  return {
    found: memberListRepo.summariseMembers(db, orgCode, page),
    ...(last && { next: { primaryAttr: last.primaryAttr, id: String(last.id) } }),
  };
}

/** The organisation chooses the name of its primary attribute: whatever that name is, it means that attribute. */
function readField(
  name: string,
  { primaryAttrField }: organisationRepo.OrganisationRow,
): memberSearchRepo.SearchField | 'any' {
  if (name === primaryAttrField) return 'primaryAttr';
  if (name === 'firstName' || name === 'lastName' || name === 'primaryEmail' || name === 'any') return name;
  const fields = `any, firstName, lastName, primaryEmail, ${primaryAttrField}`;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'field', message: `One of ${fields}` }] });
}
