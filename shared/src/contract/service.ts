import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const health = endpoint({
  method: 'GET',
  path: '/health',
  area: 'Service',
  summary: 'Whether the portal and its database answer',
  access: { who: 'public' },
  reply: z.object({ status: z.literal('ok') }),
});
