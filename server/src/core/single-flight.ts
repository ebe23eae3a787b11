import { organisationRepo, type Tx } from '@orchestrate/db';
import type { Deps } from '../deps.ts';
import { Refusal } from '../platform/refusal.ts';
import { retryIfReset } from '../platform/retry-if-reset.ts';
import { singleFlightByKey } from '../platform/single-flight-by-key.ts';

/**
 * What an organisation gets on first use. Making it takes a while, so concurrent callers wait for the same one.
 * @param keep must look at what is in the database, which somebody else may have changed meanwhile
 */
export function singleFlight<Made, Kept>(
  make: (deps: Deps, orgCode: string) => Promise<Made>,
  keep: (deps: Deps, tx: Tx, orgCode: string, made: Made) => Kept,
): (deps: Deps, orgCode: string) => Promise<Kept> {
  const oneAtATime = singleFlightByKey<Kept>();
  return (deps, orgCode) =>
    oneAtATime(deps, orgCode, () => {
      const { db } = deps;
      return retryIfReset(
        deps,
        () => make(deps, orgCode),
        (thing) => db.transaction((tx) => keep(deps, tx, orgCode, thing)),
        () => {
          if (!organisationRepo.findOrganisation(db, orgCode)) throw new Refusal('ORG_CODE_NOT_FOUND', { status: 404 });
        },
      );
    });
}
