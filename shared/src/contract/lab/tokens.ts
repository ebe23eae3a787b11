import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { portalText, secret, text } from '../../fields.ts';
import { appTryResult } from '../applications/test-sign-in.ts';

/** Maximum length of a token or SAML response. */
const TOKEN_MAX = 200_000;

export const inspectToken = endpoint({
  method: 'POST',
  path: '/lab/tokens',
  area: 'Lab',
  summary:
    'Decode and verify a token of the portal or of an organisation, or a SAML response, and explain its problems',
  access: { who: 'lab' },
  bodyBytes: 2 * TOKEN_MAX,
  body: z.strictObject({
    /** A JSON Web Token, or a SAML response as XML, in base64, or deflated. */
    token: secret(text(TOKEN_MAX)),
    /** The nonce that the client sent, for comparison. */
    nonce: secret(text(500)).optional(),
  }),
  reply: z.object({
    kind: z.enum(['access-token', 'id-token', 'logout-token', 'saml-response']),
    isValid: z.boolean(),
    /** Kind and validity in a sentence. */
    verdict: portalText(z.string()),
    ...appTryResult.shape,
  }),
  // It changes nothing.
  events: [],
});
