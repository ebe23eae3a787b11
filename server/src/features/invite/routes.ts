import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { inviteUsers } from './invite-users.ts';
import { serveUploadProgress } from './live.ts';
import { createUploadProgress } from './upload-progress.ts';

/** Inviting people: by their addresses, or by a file. */
export function invite(app: FastifyInstance, deps: Deps): void {
  const progress = createUploadProgress(deps);

  implement(app, deps, contract.inviteUsers, ({ actor, body }) => inviteUsers(deps, { actor, ...body }));

  implement(app, deps, contract.bulkInvite, async ({ caller, actor, form: { type, sendEmail, uploadId }, file }) => {
    const { bulkInvite } = await import('./bulk-invite.ts');
    return bulkInvite(deps, progress, { caller, actor, file, type, sendEmail: sendEmail === 'true', uploadId });
  });

  serveUploadProgress(app, deps, progress);
}
