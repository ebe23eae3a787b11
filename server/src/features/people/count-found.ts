import { foundMemberRepo, memberCountRepo, memberEverywhereRepo, organisationRepo } from '@orchestrate/db';
import { type AccountStatus, accountStatus, type contract, LIMITS, statusesFoundBy } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { Call } from '../../platform/http/handler.ts';
import { Refusal } from '../../platform/refusal.ts';
import { countExpiring } from './expiring-found.ts';
import { readField } from './search-members.ts';
import { countMembers } from './summary.ts';

const STATUSES = accountStatus.options;

/**
 * How many members a search finds, in all, by status and with a code that expires soon, as far as they are counted;
 * without a text, how many there are.
 * @throws Refusal INVALID_REQUEST for a field that cannot be searched
 */
export function countFound(deps: Deps, orgCode: string, { q: text, field }: Call<typeof contract.countUsers>['query']) {
  const { db } = deps;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
  const search = { text, field: readField(field, organisation) };
  const most = LIMITS.searchCountMax;
  const find = (status?: AccountStatus) => foundMemberRepo.findIds(db, organisation, { ...search, status }, most);
  const found = text === undefined ? [] : find();
  const { count: codesExpiring, isMore } = countExpiring(deps, { organisation, search, found });
  if (text === undefined) {
    return { counts: countMembers(memberCountRepo.listMemberCounts(db, orgCode)), more: [], codesExpiring };
  }
  const isMany = found.length > most;
  const present = isMany ? undefined : foundMemberRepo.readMembers(db, found);
  const counted = { all: found.length } as Record<'all' | AccountStatus, number>;
  for (const status of STATUSES) {
    counted[status] =
      present && status !== 'deleted'
        ? present.filter(({ accountStatus }) => statusesFoundBy(status).includes(accountStatus)).length
        : find(status).length;
  }
  const names = ['all', ...STATUSES] as const;
  return {
    counts: Object.fromEntries(names.map((of) => [of, Math.min(counted[of], most)])) as typeof counted,
    // Of many with a short text, not all are looked at for a rare status.
    more: [
      ...names.filter((of) => counted[of] > most || (isMany && memberEverywhereRepo.isShort(text))),
      ...(isMore ? (['codesExpiring'] as const) : []),
    ],
    codesExpiring,
  };
}
