import { isObject, type Json, type JsonObject } from '../json.ts';
import { PATCH_OP } from './patch-body.ts';

/** Number of members that one request adds or removes. */
export const MEMBERS_PER_REQUEST = 200;

/** A request (RFC 7644 §3.5.2), and the group after it. */
interface GroupChange {
  body: JsonObject;
  after: JsonObject;
}

/** Returns the member ids of a group. */
export function membersOf({ members }: JsonObject): string[] {
  const all = Array.isArray(members) ? members : [];
  return all.flatMap((one) => (isObject(one) && typeof one.value === 'string' ? one.value : []));
}

/** Returns the group with these members. */
export const withMembers = (group: JsonObject, ids: readonly string[]): JsonObject => ({
  ...group,
  members: ids.map((value) => ({ value })),
});

/** Returns the requests that turn one group into another: rename, then remove members, then add members. */
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
  const [known, kept] = [new Set(had), new Set(has)];
  let present = had;
  const going = had.filter((id) => !kept.has(id));
  // RFC 7644 §3.5.2.2 and §3.5.2.3: if most members of a large group leave, replace the list instead.
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
