import { type applicationRepo, testSignInRepo } from '@orchestrate/db';
import { type AppTry, contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { requireApplication } from '#core/applications.ts';
import { identifyBrowser } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

/** Returns a test sign-in for the API. @param now milliseconds since the epoch */
function appTryOf(
  row: testSignInRepo.TestSignInRow,
  { name }: Pick<applicationRepo.ApplicationRow, 'name'>,
  now: number,
): AppTry {
  return {
    tryId: row.id,
    appId: row.appId,
    appName: name,
    protocol: row.protocol,
    result: row.result,
    status: statusOf(row, now),
    startedAt: isoOf(row.createdAt),
  };
}

function statusOf({ result, expiresAt }: testSignInRepo.TestSignInRow, now: number): AppTry['status'] {
  if (result) return result.checks.every(({ isMet }) => isMet) ? 'passed' : 'failed';
  return expiresAt <= now ? 'expired' : 'waiting';
}

/** Registers the endpoints for test sign-ins, which actually sign in with an application's settings (decision 177). */
export function testSignIns(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.beginAppTry, async ({ caller, params: { appId }, cookie, setCookie }) => {
    const { orgCode, suid } = caller;
    // Protocols are loaded on first use (decision 018).
    const { startTestSignIn } = await import('./start-test-sign-in.ts');
    const identified = identifyBrowser(deps, cookie);
    setCookie(identified.cookie);
    return startTestSignIn(deps, { orgCode, appId, suid, browser: identified.browser });
  });

  implement(app, deps, contract.getAppTry, ({ caller: { orgCode }, params: { appId, tryId } }) => {
    const application = requireApplication(deps.db, orgCode, appId);
    const row = testSignInRepo.findTestSignIn(deps.db, orgCode, appId, tryId);
    if (!row) throw new Refusal('ID_DOESNOT_EXIST');
    return { try: appTryOf(row, application, deps.clock.now()) };
  });
}
