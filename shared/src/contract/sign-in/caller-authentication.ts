import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { optionalText, secret } from '../../fields.ts';

export const startVerbal = endpoint({
  method: 'GET',
  path: '/verbal',
  area: 'People',
  summary: 'Create a code that verifies a caller, who enters it in the authenticator and consents',
  access: { who: 'permission', permission: 'VERBAL_AUTHENTICATION' },
  query: z.object({
    /**
     * A name that the API client chooses for this request. While the request is open, the same name returns the same
     * codes.
     */
    epoch: optionalText(64).optional(),
  }),
  reply: z.object({
    /** The eight characters to read aloud. */
    code: secret(z.string()),
    qid: secret(z.string()),
    /** Seconds until the request expires. */
    idTimeout: z.number().int(),
    /** ID of this request on its channel. */
    epoch: z.string(),
  }),
  refuses: ['DID_NOT_ENABLED'],
});
