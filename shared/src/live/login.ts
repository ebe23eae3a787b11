import { z } from 'zod';
import { channel } from '../channel.ts';
import { id, secret } from '../fields.ts';

export const loginLive = channel({
  path: '/ws/login',
  summary: 'A sign-in, from init to success',
  access: 'public',
  query: z.object({ loginId: secret(id) }),
  server: z.object({
    op: z.literal('LOGIN'),
    state: z.enum(['init', 'pending', 'rejected', 'success', 'expired']),
    /** LOGIN_INIT, LOGIN_PENDING, LOGIN_REJECTED, LOGIN_SUCCESS or EXPIRED. */
    resultCode: z.number().int(),
    deviceName: z.string().optional(),
    /** Token to exchange once, at POST user/login. Only in state `success`. */
    exchangeToken: secret(z.string()).optional(),
    timestamp: z.string(),
  }),
});
