import { challengeRepo, deviceRepo, loginHistoryRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import { beginChallenge, type Requester } from '../../core/sign-in/begin-challenge.ts';
import type { BrowserSecret } from '../../core/sign-in/browser-cookie.ts';
import { PORTAL_APP_NAME } from '../../core/sign-in/portal-app-name.ts';
import { type Remembered, recognizeBrowser } from '../../core/sign-in/remember-browser.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Destination } from './destination.ts';

export interface RememberedLogin {
  loginId: string;
  /** What the browser's cookie is to say from now on; it stays where this is absent. */
  remembered: Remembered | undefined;
}

/**
 * Signs in whom this browser is remembered for: a request that is approved as soon as it is made.
 * @throws Refusal 89, 86, 87; 74 where more than a remembered browser is asked for
 */
export function beginRemembered(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  { policy, ...destination }: Destination,
  shown: BrowserSecret | undefined,
  requester: Requester,
): RememberedLogin {
  const begun = deps.db.transaction(
    (tx) => {
      const recognized = recognizeBrowser(deps, tx, organisation, policy, shown);
      if (recognized === 'stolen') return undefined;
      if (policy.stepUpAuthEnabled) throw new Refusal('AUTHENTICATION_INCOMPLETE');
      const { suid, zid } = recognized.browser;
      const { orgCode } = organisation;
      const { id } = beginChallenge(deps, tx, {
        ...{ orgCode, suid, ...destination, mode: 'COOKIE', codes: [] },
        lifetimeSeconds: LIMITS.loginLifetimeSeconds,
        requester,
      });
      const { appName, appLoginId } = destination;
      approve(deps, tx, { orgCode, id, suid, zid, appName, appLoginId, requester });
      return { loginId: id, remembered: recognized.next };
    },
    { behavior: 'immediate' },
  );
  // Its theft is written down by then: the transaction must not be undone.
  if (!begun) throw new Refusal('COOKIE_ABSENT');
  return begun;
}

interface Approval {
  orgCode: string;
  id: string;
  suid: string;
  zid: string;
  appName: string | undefined;
  appLoginId: string | undefined;
  requester: Requester;
}

function approve(
  { clock, random }: Deps,
  tx: Tx,
  { orgCode, id, suid, zid, appName, appLoginId, requester }: Approval,
): void {
  const now = clock.now();
  const device = deviceRepo.findDevice(tx, orgCode, zid);
  const deviceName = device?.name ?? '';
  challengeRepo.answerChallenge(tx, orgCode, id, { status: 'approved', resultCode: null, suid, zid, deviceName }, now);
  loginHistoryRepo.insertLoginRecord(tx, {
    id: random.id(),
    ...{ orgCode, suid, zid, deviceName },
    deviceType: device?.type ?? null,
    appName: appName ?? PORTAL_APP_NAME,
    appLoginId: appLoginId ?? null,
    mode: 'COOKIE',
    ip: requester.ip,
    loginStatus: 'Success',
    reason: null,
    timestamp: now,
  });
}
