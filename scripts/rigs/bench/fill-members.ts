import { memberBulkRepo, openDatabase } from '@orchestrate/db';
import type { AccountStatus } from '@orchestrate/shared';

const FIRST =
  'Olivia James Marta Henry Amelia Oliver Thomas Emily Samuel Harriet Zofia Lukas Sabine Hugo Priya Noor'.split(' ');
const LAST =
  'Bennett Walker Hughes Clarke Foster Brooks Hayes Palmer Reid Sutton Hofmann Vogel Lehmann Novak Silva'.split(' ');
/** Search that matches one of the sixteen first names. */
export const PREFIX_SEARCH = { field: 'firstName', q: 'Mar' };
export const COMMON_SEARCH = { field: 'lastName', q: 'mann' };

const RARE_NAME = 'Quixley-Brandauer';
const RARE_PEOPLE = 25;
/** Search that matches a fixed number of members, regardless of the total. */
export const RARE_SEARCH = { field: 'lastName', q: 'xley-br' };

/** Number of members per insert. */
const BATCH = 10_000;
/** Account statuses, one per batch of equal size. Five in seven members are active. */
const STATUSES: readonly AccountStatus[] = [
  'active',
  'active',
  'active',
  'unregistered',
  'active',
  'active',
  'inactive',
];

/** Adds members to acme until there are `total`. No other process may have the database file open. */
export function fillMembers(file: string, total: number): void {
  const { db, raw, close } = openDatabase({ file });
  const count = Number(raw.prepare(`SELECT count(*) FROM members WHERE orgCode = 'acme'`).pluck().get());
  const every = Math.floor((total - count) / RARE_PEOPLE);
  const size = Math.min(BATCH, Math.ceil((total - count) / STATUSES.length));
  for (let from = count; from < total; from += size) {
    const batch = Array.from({ length: Math.min(size, total - from) }, (_, index) => memberOf(from + index, every));
    const accountStatus = STATUSES[((from / size) % STATUSES.length) | 0] ?? 'active';
    db.transaction((tx) => memberBulkRepo.insertMembers(tx, 'acme', batch, { accountStatus, now: Date.now() }));
  }
  close();
}

function memberOf(number: number, every: number): memberBulkRepo.BulkMember {
  // A large step keeps adjacent members from sharing a name.
  const firstName = FIRST[(number * 7) % FIRST.length] ?? '';
  const lastName =
    number % every === 1 ? RARE_NAME : (LAST[(number * 4 + Math.floor(number / 11)) % LAST.length] ?? '');
  return {
    suid: `bench-${number}`,
    primaryAttr: `B-${number}`,
    firstName,
    lastName,
    primaryEmail: `${firstName}.${lastName}.${number}@acme.test`.toLowerCase(),
  };
}
