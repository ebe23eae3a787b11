import fc from 'fast-check';
import type { Attempt } from './attempt.ts';
import { FORM_TYPE, unusualFields } from './odd-fields.ts';

const AUTHORISATION = {
  client_id: 'team-wiki',
  redirect_uri: 'http://localhost:8080/oidc/callback',
  response_type: 'code',
  scope: 'openid profile email offline_access',
  state: 'state',
  nonce: 'nonce',
  prompt: 'login',
  max_age: '60',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  acr_values: 'x',
  id_token_hint: 'a.b.c',
  login_hint: 'user@acme.test',
};

const TOKEN = {
  grant_type: 'authorization_code',
  code: 'code',
  code_verifier: 'x'.repeat(43),
  redirect_uri: 'http://localhost:8080/oidc/callback',
  refresh_token: 'refresh',
  token: 'token',
  token_type_hint: 'access_token',
  client_id: 'team-wiki',
  client_secret: 'secret',
};

const oidcPath = fc
  .tuple(
    fc.constantFrom('acme', 'acme', 'globex', 'nobody', '%00', '..'),
    fc.constantFrom(
      'auth',
      'token',
      'me',
      'jwks',
      'session/end',
      'token/introspection',
      'token/revocation',
      'continue',
    ),
  )
  .map(([org, path]) => `/oidc/${org}/${path}`);

/** OpenID Connect attempts: authorisation requests, token requests and requests to an issuer's other endpoints. */
export const oidcAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    path: oidcPath,
    isPost: fc.boolean(),
    authorisation: unusualFields(AUTHORISATION),
    token: unusualFields(TOKEN),
    sender: fc.constantFrom('application' as const, 'anonymous' as const),
  })
  .map(({ path, isPost, authorisation, token, sender }) => ({
    kind: 'http',
    what: `OIDC ${path}`,
    method: isPost ? 'POST' : 'GET',
    path: isPost ? path : `${path}?${authorisation}`,
    type: isPost ? FORM_TYPE : '',
    body: isPost ? token : null,
    sender,
  }));
