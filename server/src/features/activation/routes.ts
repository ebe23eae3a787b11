import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { requireBoundDevice, requireDeviceToManage } from '../../core/device-keys/require-bound-device.ts';
import { hasAuthorityOver, requireAuthorityOver } from '../../core/members/authority.ts';
import { issueCode, ownDesktopCode } from '../../core/members/issue-code.ts';
import type { Deps } from '../../deps.ts';
import { news, redirect } from '../../platform/http/answers/answer.ts';
import { requirePermission } from '../../platform/http/callers/permissions.ts';
import { implement } from '../../platform/http/implement.ts';
import { Refusal } from '../../platform/refusal.ts';
import { mailAgain } from './mail-again.ts';
import { answerOf, openLink, pageOf } from './open-link.ts';
import { requireBelonging } from './require-belonging.ts';

/** Activation codes, with which a person registers a first device. */
export function activation(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getActivationCode, ({ caller, query: { approvalId } }) => {
    requireBoundDevice(deps, deps.db, caller, approvalId);
    return ownDesktopCode(deps, caller);
  });

  implement(
    app,
    deps,
    contract.regenerateActivationCode,
    ({ caller, actor, target, body: { type, sendEmail, email, approvalId } }) => {
      const isOwn = target.suid === caller.suid;
      if (isOwn) requireBoundDevice(deps, deps.db, caller, approvalId);
      else requireDeviceToManage(deps, deps.db, caller, target);
      if (sendEmail) requirePermission(caller, 'SEND_ACT_CODE_EMAIL');
      // Anyone who sees a code can register as that person, so the code of somebody more powerful is only mailed
      // (decision 062).
      else requireAuthorityOver(deps.db, caller, target);
      requireBelonging(target, email);
      const isShown = hasAuthorityOver(deps.db, caller, target);
      return issueCode(deps, { actor, member: target, type, sendEmail, isShown, isOwn });
    },
  );

  implement(app, deps, contract.emailActivationCode, ({ caller, actor, target, body: { type, email, approvalId } }) => {
    const isOwn = target.suid === caller.suid;
    if (isOwn) requireBoundDevice(deps, deps.db, caller, approvalId);
    else requireDeviceToManage(deps, deps.db, caller, target);
    requireBelonging(target, email);
    const isShown = hasAuthorityOver(deps.db, caller, target);
    const { isNew, data } = mailAgain(deps, { actor, member: target, type, isShown, isOwn });
    return isNew ? data : news('CODE_RESENT', data);
  });

  implement(app, deps, contract.openActivationLink, ({ query: { token }, actor, wantsPage, isPrefetch }) => {
    // With an error, browsers discard what they prefetched and ask again when the link is opened.
    if (isPrefetch) throw new Refusal('BAD_REQUEST', { message: 'Open this link instead of prefetching it.' });
    const outcome = openLink(deps, { token, actor });
    return wantsPage ? redirect(pageOf(outcome)) : answerOf(outcome);
  });
}
