import { organisationRepo, sessionRepo } from '@orchestrate/db';
import { beginLogout, isAlone } from '../../core/sign-in/logouts.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';

/**
 * Begins to sign a person who has logged out of the portal out of the applications in that browser, where the
 * organisation wants that. @returns the page that goes on; undefined where there is nothing to do
 */
export function logoutTogether(
  deps: Deps,
  { orgCode, suid, sid }: Caller,
  startedBy: string | undefined,
): string | undefined {
  const browser = sessionRepo.findBrowserOfSession(deps.db, orgCode, sid);
  if (!browser || !organisationRepo.findOrganisation(deps.db, orgCode)?.logoutTogether) return undefined;
  const where = { orgCode, browser, suid };
  if (isAlone(deps, where, '')) return undefined;
  return beginLogout(deps, { ...where, startedBy, begunBy: '', goesTo: { kind: 'none' } });
}
