import { logoutNoticeRepo, logoutRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { deliverDue } from '#platform/live/deliver-due.ts';
import { drawChance, nextDeliveryAttempt } from '#platform/live/next-delivery-attempt.ts';

/**
 * How long a claimed notice is reserved for one delivery, in milliseconds. Must be longer than the slowest delivery,
 * or the notice is sent twice.
 */
const LEASE_MS = MINUTE;
/**
 * Maximum number of concurrent deliveries. High enough that an unresponsive application doesn't delay the others when
 * hundreds of members are disabled together.
 */
const CONCURRENCY = 16;

/**
 * Notifies applications directly, without a browser, that sign-ins have ended, and retries until they accept
 * (decision 178).
 */
export function deliverNotices(app: FastifyInstance, deps: Deps): void {
  const { db, clock, random } = deps;
  deliverDue<logoutNoticeRepo.LogoutNoticeRow>(app, deps, {
    what: 'a logout',
    kind: 'logout',
    topic: TOPIC.logouts,
    atOnce: () => CONCURRENCY,
    claim: () => logoutNoticeRepo.claimDueNotice(db, { now: clock.now(), leaseMs: LEASE_MS }),
    nextTime: () => logoutNoticeRepo.findNextNoticeTime(db),
    idOf: ({ number }) => number,
    async send(notice) {
      const state = await deliver(deps, notice);
      return () => {
        if (state === 'done' && notice.protocol === 'saml') logoutRepo.endSamlSession(db, notice.orgCode, notice.sid);
        const failure = { attempts: notice.attempts, retryAfterMs: 0, chance: drawChance(random) };
        const next = state === 'failed' ? nextDeliveryAttempt(failure, clock.now()) : null;
        logoutNoticeRepo.settleNotice(db, notice, next);
      };
    },
  });
}

// The protocol code is loaded on first use (decision 018).
const deliver = async (deps: Deps, notice: logoutNoticeRepo.LogoutNoticeRow) =>
  notice.protocol === 'oidc'
    ? (await import('#protocols/oidc/logout/end-session.ts')).notifyByBackchannel(deps, notice)
    : (await import('#protocols/saml/end-sessions.ts')).notifySamlApplication(deps, notice);
