import { z } from 'zod';
import { channel } from '../channel.ts';
import { confirmation } from '../contract/models.ts';
import { id, optionalText, secret, text } from '../fields.ts';

export const addDeviceLive = channel({
  path: '/ws/add-device',
  summary: 'Adding a device, from the code to the confirmed device',
  access: 'signed-in',
  query: z.object({ suid: id, aid: secret(text(64)) }),
  server: z.object({
    op: z.literal('add-device'),
    respType: z.enum(['start', 'notify', 'confirm', 'complete', 'code-expired', 'limit-reached']),
    /**
     * Result code: 0; 22 wrong code; 83 cancelled; 54 verified before a device connected; 10 expired; 36 limit
     * reached.
     */
    resultCode: z.number().int(),
    deviceName: z.string().optional(),
    /** Time at which the current state expires, if it does. */
    expiresAt: z.string().optional(),
    /** Present in state `complete` while the device is new. */
    confirmation: confirmation.optional(),
    timestamp: z.string(),
  }),
  client: z.object({
    action: z.literal('add-device'),
    type: z.literal('confirm'),
    aid: secret(text(64)),
    confirm: z.enum(['yes', 'no']),
    timestamp: z.union([z.string().max(40), z.number()]).optional(),
    validationCode: optionalText(10).optional(),
  }),
});
