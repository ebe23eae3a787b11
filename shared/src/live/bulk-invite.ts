import { z } from 'zod';
import { channel } from '../channel.ts';
import { text } from '../fields.ts';

export const bulkInviteLive = channel({
  path: '/ws/bulk-invite',
  summary: 'The progress of a CSV upload',
  access: 'signed-in',
  query: z.object({ uploadId: text(64) }),
  server: z.object({
    op: z.literal('bulk-invite'),
    state: z.enum(['waiting', 'reading', 'done', 'failed']),
    resultCode: z.number().int(),
    rowsDone: z.number().int(),
    /** Bytes of the file read so far and in total, used to estimate the number of remaining rows. */
    bytesDone: z.number().int(),
    bytesTotal: z.number().int(),
    invited: z.number().int(),
    timestamp: z.string(),
  }),
});
