import { expiringCodeRepo, foundMemberRepo, memberCountRepo, organisationRepo } from '@orchestrate/db';
import { type contract, LIMITS, searchStatus } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { Call } from '../../platform/http/implement.ts';
import { Refusal } from '../../platform/refusal.ts';
import { expiringSoon } from './expiring-soon.ts';
import { readField } from './search-members.ts';
import { countMembers } from './summary.ts';

const STATUSES = searchStatus.options;
type Counted = 'all' | (typeof STATUSES)[number];

/**
 * How many members a search finds, in all and by status, as far as they are counted; without a text, how many there are.
 * @throws Refusal INVALID_REQUEST for a field that cannot be searched
 */
export function countFound(
  { db, clock }: Deps,
  orgCode: string,
  { q: text, field }: Call<typeof contract.countUsers>['query'],
) {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
  const searched = readField(field, organisation);
  const codesExpiring = expiringCodeRepo.countMembersWithExpiringCodes(db, orgCode, expiringSoon(clock.now()));
  if (text === undefined) {
    const { total: all, ...byStatus } = countMembers(memberCountRepo.listMemberCounts(db, orgCode));
    return { counts: { all, ...byStatus }, more: [], codesExpiring };
  }
  const most = LIMITS.searchCountMax;
  const find = (status?: (typeof STATUSES)[number]) =>
    foundMemberRepo.findIds(db, organisation, { text, field: searched, status }, most);
  const everybody = find();
  const counted: Record<Counted, number> = { all: everybody.length, active: 0, inactive: 0, unregistered: 0 };
  if (everybody.length > most) {
    for (const status of STATUSES) counted[status] = find(status).length;
  } else {
    const found = foundMemberRepo.readMembers(db, everybody);
    for (const status of STATUSES)
      counted[status] = found.filter(({ accountStatus }) => accountStatus === status).length;
  }
  const capped = (of: Counted) => Math.min(counted[of], most);
  return {
    counts: {
      all: capped('all'),
      active: capped('active'),
      inactive: capped('inactive'),
      unregistered: capped('unregistered'),
    },
    more: (['all', ...STATUSES] as const).filter((of) => counted[of] > most),
    codesExpiring,
  };
}
