import { z } from 'zod';
import { channel } from '../channel.ts';

export const labLive = channel({
  path: '/ws/lab',
  summary: 'Change notifications, on which clients reload the journal and other displayed data',
  access: 'lab',
  query: z.object({}),
  server: z.object({
    op: z.literal('LAB'),
    /** Number of the journal's newest entry. */
    last: z.number().int(),
    /**
     * Counter incremented with every change, including changes without a journal entry: an emptied journal, a
     * delivered email, an ended space.
     */
    changes: z.number().int(),
    timestamp: z.string(),
  }),
});
