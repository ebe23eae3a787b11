import { z } from 'zod';
import { channel } from '../channel.ts';
import { orgCode, text } from '../fields.ts';

export const verbalLive = channel({
  path: '/ws/verbal',
  summary: 'Verifying a caller, from the code to the consent',
  access: 'signed-in',
  query: z.object({ epoch: text(64), org: orgCode }),
  server: z.object({
    op: z.literal('verbal'),
    state: z.enum(['init', 'pending', 'success', 'denied', 'expired']),
    /** Result code: 0, 58 denied or 10 expired. */
    resultCode: z.number().int(),
    expiresAt: z.string().optional(),
    caller: z
      .object({
        fullName: z.string(),
        email: z.string(),
        primaryAttr: z.string(),
        suid: z.string(),
        deviceName: z.string(),
        /** Time at which the caller consented. */
        confirmedAt: z.string(),
        /** Time until which the consent is valid. After that, the caller has to consent again. */
        trustedUntil: z.string(),
      })
      .optional(),
    timestamp: z.string(),
  }),
});
