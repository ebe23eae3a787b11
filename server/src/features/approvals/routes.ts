import { challengeRepo, deviceRepo, type Tx } from '@orchestrate/db';
import { type ApprovalState, contract, fullNameOf, LIMITS, type ToBeApproved } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { record } from '#core/audit/record.ts';
import { confirmationText, withdrawConfirmations } from '#core/device-keys/confirm-device.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { beginApproval, hasMaxPendingRequests, requireApprover } from '#core/sign-in/challenges/begin-approval.ts';
import { announceChallenge, type Outcome, outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { denialPause, pauseRefusal } from '#core/sign-in/challenges/denial-pause.ts';
import { isNewDevice } from '#core/sign-in/new-devices.ts';
import { isKnownBrowser } from '#core/sign-in/sign-in-origins.ts';
import { tooManyAttemptsRefusal } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { requirePermission } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';

type Approval = ToBeApproved & { caller: Caller };

/**
 * Returns the text displayed on the approving device.
 * @throws Refusal INVALID_PERMISSIONS; ID_DOESNOT_EXIST if there is no such device; FORBIDDEN if the device can
 * already approve
 */
function statementOf({ clock }: Deps, tx: Tx, { caller, ...wanted }: Approval): string {
  switch (wanted.action) {
    case 'save-oidc-configuration': {
      requirePermission(caller, 'ADD_UPDATE_OIDC_CONFIGURATION');
      const { enabled, configurationUrl } = wanted.content;
      if (!enabled) return 'Turn off sign-in through an external provider';
      return `Let people sign in to the portal through ${hostOf(configurationUrl)}`;
    }
    case 'add-device':
      return 'Add a device to your account';
    case 'confirm-device': {
      const { zid } = wanted.content;
      const device = deviceRepo.listRegisteredDevices(tx, caller.orgCode, caller.suid).find((one) => one.zid === zid);
      if (!device) throw new Refusal('ID_DOESNOT_EXIST');
      if (!isNewDevice(device, clock.now())) {
        throw new Refusal('FORBIDDEN', { message: 'This device can already approve requests.' });
      }
      return confirmationText(device);
    }
  }
}

const BUSY = 'Requests are already waiting on your device. Answer them first, or try again in two minutes.';

const hostOf = (address: string): string => URL.parse(address)?.host ?? address.slice(0, 100);

/**
 * Registers the endpoints for approvals on a member's own device. They are required for changes that a signed-in
 * browser must not make alone.
 */
export function approvals(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.beginApproval, ({ caller, actor, ip, userAgent, cookie, body }) => {
    const { orgCode, suid, member } = caller;
    const { action, content } = body;
    const browser = browserOf(deps, cookie);
    const requester = { ip, userAgent, browser, fullName: fullNameOf(member) };
    const { started, withdrawn } = deps.db.transaction((tx) => {
      const statement = statementOf(deps, tx, { ...body, caller });
      requireApprover(deps, tx, caller);
      const withdrawn = action === 'confirm-device' ? withdrawConfirmations(deps, tx, { ...caller, ...content }) : [];
      if (hasMaxPendingRequests(deps, tx, caller)) throw tooManyAttemptsRefusal(LIMITS.loginLifetimeSeconds, BUSY);
      const isConfirming = action === 'confirm-device' && isKnownBrowser(deps, tx, caller, browser);
      const pause = isConfirming ? undefined : denialPause(deps, tx, orgCode, { suid, ip, browser });
      if (pause) throw pauseRefusal(pause);
      const started = beginApproval(deps, tx, { orgCode, suid, action, content }, { statement, requester });
      const object = { type: 'approval' as const, id: action, name: statement, suid };
      record(deps, tx, actor, { action: 'approval.requested', object });
      return { started, withdrawn };
    });
    for (const id of [...withdrawn, started.approvalId]) announceChallenge(deps, { id, suid });
    return started;
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
