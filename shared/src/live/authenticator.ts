import { z } from 'zod';
import { channel } from '../channel.ts';
import { pendingChallenge } from '../contract/devices/authenticator.ts';
import { id, jws } from '../fields.ts';

export const authenticatorLive = channel({
  path: '/ws/authenticator',
  summary: 'Requests that wait for the person of a device; its first message proves which device it is',
  access: 'device',
  query: z.object({}),
  server: z.object({
    op: z.literal('challenges'),
    challenges: z.array(pendingChallenge),
    timestamp: z.string(),
  }),
  client: z.object({ zid: id, jws }),
});
