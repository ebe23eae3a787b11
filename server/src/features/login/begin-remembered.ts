import type { organisationRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { Destination } from '../../core/sign-in/begin/destination.ts';
import type { BrowserSecret } from '../../core/sign-in/browser-cookie.ts';
import { beginChallenge, type Requester } from '../../core/sign-in/challenges/begin.ts';
import { APPROVED } from '../../core/sign-in/challenges/judge.ts';
import { settle } from '../../core/sign-in/challenges/settle.ts';
import { type Remembered, recognizeBrowser } from '../../core/sign-in/remember-browser.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';

export interface RememberedLogin {
  loginId: string;
  /** The new contents of the browser's cookie; if absent, the cookie stays as it is. */
  remembered: Remembered | undefined;
}

/**
 * Signs in the person for whom this browser is remembered: the request is approved as soon as it is made.
 * @throws Refusal as `recognizeBrowser`; AUTHENTICATION_INCOMPLETE where more than a remembered browser is asked for
 */
export function beginRemembered(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  { policy, ...destination }: Destination,
  shown: BrowserSecret | undefined,
  requester: Requester,
): RememberedLogin {
  const begun = deps.db.transaction((tx) => {
    const recognized = recognizeBrowser(deps, tx, organisation, policy, shown);
    if (recognized === 'stolen') return undefined;
    if (policy.stepUpAuthEnabled) throw new Refusal('AUTHENTICATION_INCOMPLETE');
    const { device } = recognized;
    const { orgCode, suid } = device;
    const challenge = beginChallenge(deps, tx, {
      orgCode,
      suid,
      ...destination,
      mode: 'COOKIE',
      codes: [],
      lifetimeSeconds: LIMITS.loginLifetimeSeconds,
      requester,
    });
    settle(deps, tx, challenge, device, APPROVED);
    return { loginId: challenge.id, remembered: recognized.next };
  });
  // By then the theft has been recorded: the transaction must not be rolled back.
  if (!begun) throw new Refusal('COOKIE_ABSENT');
  return begun;
}
