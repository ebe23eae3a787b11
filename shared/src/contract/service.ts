import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const health = endpoint({
  method: 'GET',
  path: '/health',
  area: 'Service',
  summary: 'Check if the portal and its database respond',
  access: { who: 'public' },
  reply: z.object({ status: z.literal('ok') }),
});
