import { memberBulkRepo, openDatabase } from '@orchestrate/db';
import type { AccountStatus } from '@orchestrate/shared';

const FIRST =
  'Olivia James Marta Henry Amelia Oliver Thomas Emily Samuel Harriet Zofia Lukas Sabine Hugo Priya Noor'.split(' ');
const LAST =
  'Bennett Walker Hughes Clarke Foster Brooks Hayes Palmer Reid Sutton Hofmann Vogel Lehmann Novak Silva'.split(' ');
/** One of the sixteen first names starts with PREFIX; two of the fifteen last names contain COMMON. */
export const PREFIX = { field: 'firstName', q: 'Mar' };
export const COMMON = { field: 'lastName', q: 'mann' };

const RARE_NAME = 'Quixley-Brandauer';
const RARE_PEOPLE = 25;
/** Matches a fixed number of members, whatever the total. */
export const RARE = { field: 'lastName', q: 'xley-br' };

/** Members per insert. */
const BATCH = 10_000;
/** Account statuses by tenths of the members: nine in ten are active. */
const STATUSES: readonly AccountStatus[] = [
  'active',
  'active',
  'active',
  'unregistered',
  'active',
  'active',
  'inactive',
];

/** Adds members of acme to a portal's database, which no other process may have open, until there are `total`. */
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
  // A large step, so that adjacent members don't share a name.
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
