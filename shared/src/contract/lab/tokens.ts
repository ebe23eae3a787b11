import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, id, orgCode, portalText, secret, text } from '../../fields.ts';
import { appTryResult } from '../applications/test-sign-in.ts';
import { addedClaims, missingClaim, TOKEN_DAMAGES, type TokenFlaw } from './faults.ts';

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

/** Options that set the protocol claims. */
const OPTION_BY_CLAIM = {
  aud: 'resource',
  client_id: 'client',
  exp: 'expiresIn',
  iat: 'tamper (expired)',
  iss: 'issuer',
  nbf: 'tamper (not-yet)',
  scope: 'scope',
  sub: 'as',
};

/** An issuer identifier (OpenID Connect Core 1.0 §1.2), with `http` for tests. */
const issuer = text(500).refine((url) => {
  const { protocol, search, hash } = URL.parse(url) ?? {};
  return /^https?:$/.test(protocol ?? '') && search === '' && hash === '';
}, 'Use an http or https URL without a query or fragment');

/** Ways to invalidate issued tokens. Excludes `wrong-nonce`, because `claims` can set any nonce. */
export const TOKEN_FLAWS = TOKEN_DAMAGES.filter((name) => name !== 'wrong-nonce');

const isWithout = (flaw: TokenFlaw | undefined, claim: string): boolean =>
  typeof flaw === 'object' && flaw.without === claim;

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
      claims: addedClaims(OPTION_BY_CLAIM).optional(),
      /**
       * Issuer (`iss`) of the ID token and of a JWT access token, as if another provider had issued them. The
       * organisation's key still signs them, and its endpoints accept the access token and report their own issuer. Default: the organisation.
       */
      issuer: issuer.optional(),
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
    })
    .refine(
      ({ issuer: iss, tamper }) => iss === undefined || (tamper !== 'wrong-issuer' && !isWithout(tamper, 'iss')),
      {
        path: ['issuer'],
        message: 'issuer cannot be combined with a tamper that changes or removes it',
      },
    ),
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
