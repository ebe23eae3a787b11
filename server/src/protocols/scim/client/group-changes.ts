import { isObject, type Json, type JsonObject } from '../json.ts';
import { PATCH_OP } from './patch-body.ts';

/** Number of members to add or remove per request. */
export const MEMBERS_PER_REQUEST = 200;

/** A request (RFC 7644 §3.5.2), and the group's state after it. */
interface GroupChange {
  body: JsonObject;
  after: JsonObject;
}

/** Returns the IDs of a group's members. */
export function membersOf({ members }: JsonObject): string[] {
  const all = Array.isArray(members) ? members : [];
  return all.flatMap((one) => (isObject(one) && typeof one.value === 'string' ? one.value : []));
}

/** Returns the group with its members replaced. */
export const withMembers = (group: JsonObject, ids: readonly string[]): JsonObject => ({
  ...group,
  members: ids.map((value) => ({ value })),
});

/** Returns the requests that turn one group into another. They rename it, then remove members, then add members. */
export function groupChanges(before: JsonObject, wanted: JsonObject): GroupChange[] {
  const changes: GroupChange[] = [];
  const [had, has] = [membersOf(before), membersOf(wanted)];
  let after = withMembers(wanted, had);
  const add = (Operations: Json[], members: readonly string[]) => {
    after = withMembers(wanted, members);
    changes.push({ body: { schemas: [PATCH_OP], Operations }, after });
  };
  const named = ['externalId', 'displayName']
    .filter((path) => before[path] !== wanted[path])
    .map((path) => ({ op: 'replace', path, value: wanted[path] ?? null }));
  if (named.length > 0) add(named, had);
  const [known, remaining] = [new Set(had), new Set(has)];
  let present = had;
  const going = had.filter((id) => !remaining.has(id));
  // If most members of a large group leave, replace the list instead (RFC 7644 §3.5.2.2 and §3.5.2.3).
  if (going.length > MEMBERS_PER_REQUEST && has.length <= MEMBERS_PER_REQUEST) {
    const path = 'members';
    add(
      [has.length === 0 ? { op: 'remove', path } : { op: 'replace', path, value: withMembers({}, has).members ?? [] }],
      has,
    );
    return changes;
  }
  for (const slice of slicesOf(going)) {
    const gone = new Set(slice);
    present = present.filter((id) => !gone.has(id));
    add(
      slice.map((id) => ({ op: 'remove', path: `members[value eq ${JSON.stringify(id)}]` })),
      present,
    );
  }
  for (const slice of slicesOf(has.filter((id) => !known.has(id)))) {
    present = [...present, ...slice];
    add([{ op: 'add', path: 'members', value: slice.map((value) => ({ value })) }], present);
  }
  return changes;
}

function slicesOf(ids: readonly string[]): string[][] {
  const slices: string[][] = [];
  for (let at = 0; at < ids.length; at += MEMBERS_PER_REQUEST) slices.push(ids.slice(at, at + MEMBERS_PER_REQUEST));
  return slices;
}
