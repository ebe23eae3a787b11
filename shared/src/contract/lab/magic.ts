import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { portalText } from '../../fields.ts';

const magicValue = z.object({
  /** All of them have the same effect; `+anything` before the `@` makes as many different ones as you need. */
  addresses: z.array(z.string()),
  meaning: portalText(z.string()),
  /** Absent if it is not a result code. */
  resultCode: z.number().int().optional(),
  resultName: z.string().optional(),
  /** HTTP status; absent if there is no answer, or the real one. */
  status: z.number().int().optional(),
});

export const readMagic = endpoint({
  method: 'GET',
  path: '/lab/magic',
  area: 'Lab',
  summary: 'List the magic addresses, which force a result for the request that contains them',
  access: { who: 'lab' },
  reply: z.object({ values: z.array(magicValue) }),
});
