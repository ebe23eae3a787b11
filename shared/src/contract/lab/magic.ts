import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';

const magicValue = z.object({
  /** All of them do the same; `+anything` before the `@` makes as many different ones as you need. */
  addresses: z.array(z.string()),
  meaning: z.string(),
  /** Absent where it is not a result code. */
  resultCode: z.number().int().optional(),
  resultName: z.string().optional(),
  /** HTTP status; absent where nothing or the real answer comes. */
  status: z.number().int().optional(),
});

export const readMagic = endpoint({
  method: 'GET',
  path: '/lab/magic',
  area: 'Lab',
  summary: 'Addresses that make the call which carries them meet a result, typed anywhere in a client',
  access: { who: 'lab' },
  reply: z.object({ values: z.array(magicValue) }),
});
