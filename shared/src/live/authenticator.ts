import { z } from 'zod';
import { channel } from '../channel.ts';
import { pendingChallenge } from '../contract/devices/authenticator.ts';
import { id, jws } from '../fields.ts';

export const authenticatorLive = channel({
  path: '/ws/authenticator',
  summary: "Requests waiting for a device's owner; the first message authenticates the device",
  access: 'device',
  query: z.object({}),
  server: z.object({
    op: z.literal('challenges'),
    challenges: z.array(pendingChallenge),
    timestamp: z.string(),
  }),
  client: z.object({ zid: id, jws }),
});
