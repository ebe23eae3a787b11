import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, id, orgCode, portalText, secret, text } from '../../fields.ts';
import { RESERVED_CLAIMS } from '../applications/app-claims.ts';
import { appTryResult } from '../applications/test-sign-in.ts';
import { missingClaim, TOKEN_DAMAGES } from './faults.ts';

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

/** Protocol claims that `claims` can set, because they only describe how the user signed in. */
const SIGN_IN_CLAIMS = ['nonce', 'azp', 'acr', 'amr', 'auth_time'];

/** Fields that set the other protocol claims. */
const FIELD_BY_CLAIM: Readonly<Record<string, string>> = {
  aud: 'resource',
  client_id: 'client',
  exp: 'expiresIn',
  iss: 'tamper',
  nbf: 'tamper',
  scope: 'scope',
  sub: 'as',
};

const customClaims = z.record(text(200), z.json()).superRefine((claims, context) => {
  for (const name of Object.keys(claims)) {
    if (!RESERVED_CLAIMS.includes(name) || SIGN_IN_CLAIMS.includes(name)) continue;
    const field = FIELD_BY_CLAIM[name];
    const message = field ? `This claim follows from the option ${field}` : 'This claim is set by the protocol';
    context.addIssue({ code: 'custom', path: [name], message });
  }
});

/** Ways to invalidate issued tokens. Excludes `wrong-nonce`, because `claims` can set any nonce. */
export const TOKEN_FLAWS = TOKEN_DAMAGES.filter((name) => name !== 'wrong-nonce');

export const issueTokens = endpoint({
  method: 'POST',
  path: '/lab/tokens/issue',
  area: 'Lab',
  summary: 'Issue an access token, ID token and refresh token of an application, without a sign-in',
  access: { who: 'lab' },
  body: z
    .strictObject({
      /** Client ID of an OpenID Connect application. */
      client: id,
      /** Organisation code. Required if applications of several organisations have this client ID. */
      org: orgCode.optional(),
      /** Email address of the user that the tokens are about. Required, except for service clients. */
      as: email.optional(),
      /**
       * Scopes, separated by spaces. Default: `openid profile email offline_access` for users, and all scopes of
       * `resource`.
       */
      scope: text(2_000).optional(),
      /** Identifier of an API, for a JWT access token with this audience (RFC 8707, RFC 9068). Default: no API. */
      resource: text(500).optional(),
      /** Additional claims of the ID token and of the access token or its introspection. Default: none. */
      claims: customClaims.optional(),
      /** Lifetime of the access token and ID token, in seconds. Default: the application's settings. */
      expiresIn: z.number().int().min(1).max(31_536_000).optional(),
      /**
       * Flaw for which verifiers must reject the access token and the ID token. An opaque access token is then
       * inactive, unless the flaw is a missing claim. The refresh token stays valid. Default: none.
       */
      tamper: z.union([z.enum(TOKEN_FLAWS), missingClaim]).optional(),
    })
    .refine(({ expiresIn, tamper }) => expiresIn === undefined || tamper !== 'expired', {
      path: ['expiresIn'],
      message: 'expiresIn cannot be combined with tamper expired',
    }),
  reply: z.object({
    accessToken: secret(z.string()),
    /** Absent for service clients, and without the scope `openid`. */
    idToken: secret(z.string()).optional(),
    /** Absent for service clients, and for applications whose refresh tokens last 0 seconds. */
    refreshToken: secret(z.string()).optional(),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  events: ['lab.tokens-issued'],
});
