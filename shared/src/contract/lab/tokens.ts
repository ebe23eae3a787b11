import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { secret, text } from '../../fields.ts';
import { appTryResult } from '../applications/test-sign-in.ts';

/** The longest token or SAML response that is looked at. */
const TOKEN_MAX = 200_000;

export const inspectToken = endpoint({
  method: 'POST',
  path: '/lab/tokens',
  area: 'Lab',
  summary:
    'Decode and verify a token of the portal, a token of an organisation or a SAML response, and say what is wrong with it',
  access: { who: 'lab' },
  bodyBytes: 2 * TOKEN_MAX,
  body: z.strictObject({
    /** A JSON Web Token, or a SAML response as XML, in base64, or deflated. */
    token: secret(text(TOKEN_MAX)),
    /** The nonce that the client sent, to be compared. */
    nonce: secret(text(500)).optional(),
  }),
  reply: z.object({
    kind: z.enum(['access-token', 'id-token', 'logout-token', 'saml-response']),
    isValid: z.boolean(),
    /** What it is and whether it can be used, in a sentence. */
    verdict: z.string(),
    ...appTryResult.shape,
  }),
  // It changes nothing.
  events: [],
});
