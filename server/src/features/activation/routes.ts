import { activationCodeRepo } from '@orchestrate/db';
import { getActivationCode, regenerateActivationCode } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../http/implement.ts';
import { requirePermission } from '../../http/permissions.ts';
import { activationDataOf } from '../../models/activation-data.ts';
import { issueCode } from './issue-code.ts';

/** Activation codes, with which a person registers a first device. */
export function activation(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, getActivationCode, ({ caller: { orgCode, suid } }) => {
    const row = activationCodeRepo.findActivationCode(deps.db, orgCode, suid, 'desktop');
    return activationDataOf(row, deps.clock.now(), true);
  });

  implement(app, deps, regenerateActivationCode, ({ caller, target, body: { type, sendEmail } }) => {
    if (sendEmail) requirePermission(caller, 'SEND_ACT_CODE_EMAIL');
    return issueCode(deps, { member: target, type, sendEmail });
  });
}
