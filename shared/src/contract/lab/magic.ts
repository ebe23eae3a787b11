import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { portalText } from '../../fields.ts';

const magicValue = z.object({
  /** Addresses with the same effect. Add `+anything` before the `@` to get as many different addresses as you need. */
  addresses: z.array(z.string()),
  meaning: portalText(z.string()),
  /** Absent if the address triggers an HTTP status or another effect instead of a result code. */
  resultCode: z.number().int().optional(),
  resultName: z.string().optional(),
  /** HTTP status. Absent if there is no response, or if the response is real. */
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
