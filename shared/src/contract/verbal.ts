import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { optionalText } from '../fields.ts';

export const startVerbal = endpoint({
  method: 'GET',
  path: '/verbal',
  area: 'People',
  summary: 'A code with which a caller is verified: he types it in the authenticator and consents',
  access: { who: 'permission', permission: 'VERBAL_AUTHENTICATION' },
  query: z.object({ epoch: optionalText(20).optional() }),
  reply: z.object({
    /** The eight characters to be read aloud. */
    code: z.string(),
    qid: z.string(),
    idTimeout: z.number().int(),
    /** Names this request on its channel. */
    epoch: z.string(),
  }),
});
