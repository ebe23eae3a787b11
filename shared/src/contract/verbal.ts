import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { optionalText } from '../fields.ts';

export const startVerbal = endpoint({
  method: 'GET',
  path: '/verbal',
  area: 'People',
  summary: 'A code with which a caller is verified: they type it in the authenticator and consent',
  access: { who: 'permission', permission: 'VERBAL_AUTHENTICATION' },
  query: z.object({
    /** How the caller wants to name this request; the same name while it can still be used gives the same codes. */
    epoch: optionalText(64).optional(),
  }),
  reply: z.object({
    /** The eight characters to be read aloud. */
    code: z.string(),
    qid: z.string(),
    /** Seconds. */
    idTimeout: z.number().int(),
    /** Names this request on its channel. */
    epoch: z.string(),
  }),
  refuses: ['DID_NOT_ENABLED'],
});
