import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { optionalText, secret } from '../../fields.ts';

export const startVerbal = endpoint({
  method: 'GET',
  path: '/verbal',
  area: 'People',
  summary: 'Create a code that verifies a caller, who types it in the authenticator and consents',
  access: { who: 'permission', permission: 'VERBAL_AUTHENTICATION' },
  query: z.object({
    /**
     * A name that the API's client chooses for this request; while the request is open, the same name returns the same
     * codes.
     */
    epoch: optionalText(64).optional(),
  }),
  reply: z.object({
    /** The eight characters to read aloud. */
    code: secret(z.string()),
    qid: secret(z.string()),
    /** Lifetime in seconds. */
    idTimeout: z.number().int(),
    /** The id of this request on its channel. */
    epoch: z.string(),
  }),
  refuses: ['DID_NOT_ENABLED'],
});
