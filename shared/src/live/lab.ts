import { z } from 'zod';
import { channel } from '../channel.ts';

export const labLive = channel({
  path: '/ws/lab',
  summary: 'That something has happened, for those who watch: read the journal and what else they show again',
  access: 'lab',
  query: z.object({}),
  server: z.object({
    op: z.literal('LAB'),
    /** The number of the journal's newest entry. */
    last: z.number().int(),
    /**
     * Counts up with every change, also one that is not an entry: an emptied journal, a delivered mail, an ended space.
     */
    changes: z.number().int(),
    timestamp: z.string(),
  }),
});
