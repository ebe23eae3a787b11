import { bulkInviteLive } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requirePermission } from '../../platform/http/callers/permissions.ts';
import { serveChannel } from '../../platform/live/serve-channel.ts';
import { topicOf, type UploadProgress } from './upload-progress.ts';

/** Shows the progress of an upload to the person uploading; it may be opened before the upload begins. */
export function serveUploadProgress(app: FastifyInstance, deps: Deps, progress: UploadProgress): void {
  serveChannel(app, deps, bulkInviteLive, {
    open({ caller, query: { uploadId } }) {
      requirePermission(caller, 'BULK_INVITE');
      const name = { suid: caller.suid, uploadId };
      return {
        topics: [topicOf(name)],
        state: () => ({ message: { op: 'bulk-invite' as const, ...progress.of(name) } }),
      };
    },
  });
}
