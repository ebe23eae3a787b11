import { z } from 'zod';
import { channel } from '../channel.ts';

export const labLive = channel({
  path: '/ws/lab',
  summary: 'Change notifications: read the journal and other displayed data again',
  access: 'lab',
  query: z.object({}),
  server: z.object({
    op: z.literal('LAB'),
    /** The number of the journal's newest entry. */
    last: z.number().int(),
    /**
     * Incremented with every change, also by those without an entry: an emptied journal, a delivered email, an ended
     * space.
     */
    changes: z.number().int(),
    timestamp: z.string(),
  }),
});
