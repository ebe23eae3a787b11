import { challengeRepo } from '@orchestrate/db';
import { type ApprovalState, contract, fullNameOf, LIMITS, type ToBeApproved } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { record } from '../../core/audit/record.ts';
import { tooManyTries } from '../../core/sign-in/budgets.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import { beginApproval, canApprove, isBusy } from '../../core/sign-in/challenges/begin-approval.ts';
import { type Outcome, outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import { askedTooSoon, denialPause } from '../../core/sign-in/challenges/denial-pause.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { Refusal } from '../../platform/refusal.ts';

/** What the device displays for each write that can be approved. */
const STATEMENTS: {
  [Action in ToBeApproved['action']]: (content: Extract<ToBeApproved, { action: Action }>['content']) => string;
} = {
  'save-oidc-configuration': ({ enabled, configurationUrl }) =>
    enabled
      ? `Let people sign in to the portal through ${hostOf(configurationUrl)}`
      : 'Switch off the sign-in through an external provider',
};

const BUSY = 'Requests are already waiting on your device. Answer them first, or try again in two minutes.';

const hostOf = (address: string): string => URL.parse(address)?.host ?? address.slice(0, 100);

/** Fresh approvals on one's own device, for changes that a signed-in browser alone must not make. */
export function approvals(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.beginApproval, ({ caller, actor, ip, userAgent, body: { action, content } }) => {
    const { orgCode, suid, member } = caller;
    const requester = { ip, userAgent, fullName: fullNameOf(member) };
    const said = STATEMENTS[action](content);
    const begun = deps.db.transaction((tx) => {
      if (!canApprove(tx, caller)) {
        throw new Refusal('FORBIDDEN', { message: 'This is approved on a registered device, and you have none.' });
      }
      if (isBusy(deps, tx, caller)) throw tooManyTries(LIMITS.loginLifetimeSeconds, BUSY);
      const pause = denialPause(deps, tx, orgCode, { suid, ip });
      if (pause) throw askedTooSoon(pause);
      const made = beginApproval(deps, tx, { orgCode, suid, action, content }, { statement: said, requester });
      const object = { type: 'approval' as const, id: action, name: said, suid };
      record(deps, tx, actor, { action: 'approval.requested', object });
      return made;
    });
    announceChallenge(deps, { id: begun.approvalId, suid });
    return begun;
  });

  implement(app, deps, contract.approvalState, ({ params: { approvalId } }) => {
    const found = challengeRepo.findChallengeBySecretId(deps.db, approvalId);
    if (found?.kind !== 'approval') throw new Refusal('ID_DOESNOT_EXIST');
    return { state: STATES[outcomeOf(found, deps.clock.now())] };
  });
}

const STATES: Record<Outcome, ApprovalState> = {
  pending: 'pending',
  approved: 'approved',
  denied: 'denied',
  cancelled: 'denied',
  expired: 'expired',
};
