import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { portalText, secret, text } from '../../fields.ts';
import { appTryResult } from '../applications/test-sign-in.ts';

/** Maximum length of a token or SAML response, in characters. */
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
    /** A JSON Web Token or a SAML response (XML, base64-encoded or deflated). */
    token: secret(text(TOKEN_MAX)),
    /** The nonce that the client sent, to compare with the token's. */
    nonce: secret(text(500)).optional(),
  }),
  reply: z.object({
    kind: z.enum(['access-token', 'id-token', 'logout-token', 'saml-response']),
    isValid: z.boolean(),
    /** The token's type and validity, in one sentence. */
    verdict: portalText(z.string()),
    ...appTryResult.shape,
  }),
  // Inspecting a token doesn't modify any data, so there is no audit event.
  events: [],
});
