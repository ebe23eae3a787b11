import { deflateRawSync } from 'node:zlib';
import { odd } from '@orchestrate/server/testing/hostile';
import fc from 'fast-check';
import { deep, sender } from './api-attempts.ts';
import type { Attempt } from './attempt.ts';

const FORM = 'application/x-www-form-urlencoded';
const SCIM = 'application/scim+json';

const text = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  odd.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))),
);

/** The fields of a query or a form: some valid, some damaged, some repeated. */
function fields(usual: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const name = fc.oneof(fc.constantFrom(...Object.keys(usual)), fc.constantFrom('unknown', '__proto__', 'toString'));
  return fc.array(fc.tuple(name, text), { maxLength: 3 }).map((changes) => {
    const kept = Object.entries(usual).filter(([name]) => !changes.some(([changed]) => changed === name));
    return [...kept, ...changes]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
      .join('&')
      .slice(0, 7_000);
  });
}

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

/** OpenID Connect: authorisation requests, token requests and an issuer's other endpoints. */
const oidcAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    path: oidcPath,
    isPost: fc.boolean(),
    authorisation: fields(AUTHORISATION),
    token: fields(TOKEN),
    sender: fc.constantFrom('application' as const, 'nobody' as const),
  })
  .map(({ path, isPost, authorisation, token, sender }) => ({
    kind: 'http',
    what: `OIDC ${path}`,
    method: isPost ? 'POST' : 'GET',
    path: isPost ? path : `${path}?${authorisation}`,
    type: isPost ? FORM : '',
    body: isPost ? token : null,
    sender,
  }));

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';

const samlXml = fc
  .record({
    name: fc.constantFrom('AuthnRequest', 'LogoutRequest', 'LogoutResponse', 'Response'),
    doctype: fc.constantFrom('', '', '', ENTITIES),
    id: text,
    issuer: text,
    extra: fc.oneof(
      fc.constant(''),
      text,
      fc.integer({ min: 1, max: 20_000 }).map((depth) => '<a>'.repeat(depth) + '</a>'.repeat(depth)),
      fc.constant('&b;'),
    ),
  })
  .map(({ name, doctype, id, issuer, extra }) => {
    const attribute = id.replace(/[<&"\p{Cc}]/gu, '');
    return `${doctype}<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${attribute}" Version="2.0" IssueInstant="2026-03-02T09:30:00Z"><saml:Issuer>${issuer.replace(/[<&]/g, '')}</saml:Issuer>${extra}</samlp:${name}>`;
  });

const samlMessage = fc.oneof(
  { weight: 4, arbitrary: samlXml.map((xml) => ({ inflated: Buffer.from(xml), isGarbage: false })) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => ({ inflated: Buffer.from(bytes), isGarbage: true })),
  },
  // A few bytes that inflate to many.
  { weight: 1, arbitrary: fc.constant({ inflated: Buffer.alloc(3_000_000, ' '), isGarbage: false }) },
);

/** SAML messages, damaged in their XML, their compression or their encoding. */
const samlAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    app: fc.constantFrom('travel-desk', 'travel-desk', 'team-wiki', 'nobody', '%00'),
    at: fc.constantFrom('sso', 'slo', 'metadata', 'try'),
    name: fc.constantFrom('SAMLRequest', 'SAMLResponse'),
    message: samlMessage,
    isPost: fc.boolean(),
    relayState: text,
  })
  .map(({ app, at, name, message: { inflated, isGarbage }, isPost, relayState }) => {
    const bytes = isPost || isGarbage ? inflated : deflateRawSync(inflated);
    const form = new URLSearchParams({ [name]: bytes.toString('base64'), RelayState: relayState.toWellFormed() });
    const path = `/saml/acme/${app}/${at}`;
    return {
      kind: 'http',
      what: `SAML ${path}`,
      method: isPost ? 'POST' : 'GET',
      path: isPost ? path : `${path}?${String(form).slice(0, 12_000)}`,
      type: isPost ? FORM : '',
      body: isPost ? String(form) : null,
      sender: 'nobody',
    };
  });

const attributePath = fc.constantFrom(
  'userName',
  'name.familyName',
  'emails[type eq "work"].value',
  'meta',
  'x'.repeat(500),
  'a.b.c.d',
);
const condition = fc
  .tuple(attributePath, fc.constantFrom('eq', 'co', 'sw', 'pr', 'gt', 'ne', 'xx'), text)
  .map(([path, operator, value]) => `${path} ${operator} ${JSON.stringify(value.toWellFormed())}`);

const filter = fc.oneof(
  fc.array(condition, { minLength: 1, maxLength: 80 }).map((all) => all.join(' or ')),
  fc
    .tuple(fc.integer({ min: 1, max: 1_500 }), condition)
    .map(([depth, inner]) => '('.repeat(depth) + inner + ')'.repeat(depth)),
  fc
    .tuple(fc.integer({ min: 1, max: 300 }), condition)
    .map(([times, inner]) => `${'not ('.repeat(times)}${inner}${')'.repeat(times)}`),
  text,
);

const USER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'fuzz@acme.test',
  name: { givenName: 'F', familyName: 'Z' },
};

const scimBody = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .dictionary(fc.constantFrom(...Object.keys(USER), 'emails', 'active', 'roles', '__proto__'), odd, {
        noNullPrototype: true,
      })
      .map((changes) => JSON.stringify({ ...USER, ...changes })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.record({
          op: fc.constantFrom('add', 'replace', 'remove', 'move'),
          path: fc.oneof(attributePath, text),
          value: odd,
        }),
        { maxLength: 6 },
      )
      .map((Operations) => JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.record({
          method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'GET'),
          path: text,
          bulkId: text,
          data: odd,
        }),
        { maxLength: 6 },
      )
      .map((Operations) =>
        JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations }),
      ),
  },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
);

/** SCIM: filters, patches, bulk and resources that no directory would send. */
const scimAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    org: fc.constantFrom('acme', 'acme', 'acme', 'globex', 'nobody'),
    resource: fc.constantFrom(
      'Users',
      'Groups',
      'Users/x',
      'Groups/USER',
      'Groups/SUPER_ADMIN',
      'Bulk',
      'Me',
      'Schemas',
      'Users/.search',
    ),
    method: fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    filter,
    sorted: fc.constantFrom(
      '',
      '&sortBy=userName&sortOrder=descending',
      '&startIndex=-5&count=999999999',
      '&attributes=x,y',
    ),
    body: scimBody,
    sender: fc.oneof({ weight: 6, arbitrary: fc.constant('directory' as const) }, { weight: 1, arbitrary: sender }),
  })
  .map(({ org, resource, method, filter, sorted, body, sender }) => {
    const path = `/scim/v2/${org}/${resource}`;
    const query = `?filter=${encodeURIComponent(filter.toWellFormed())}${sorted}`.slice(0, 12_000);
    return {
      kind: 'http',
      what: `SCIM ${method} ${path}`,
      method,
      path: method === 'GET' ? path + query : path,
      type: SCIM,
      body: method === 'GET' || method === 'DELETE' ? null : body,
      sender,
    };
  });

const PAGES = [
  '/',
  '/acme',
  '/acme/sign-in',
  '/logos/acme',
  '/.well-known/jwks.json',
  '/docs',
  '/assets/x.js',
  '/api/oidc/callback',
  '/static/x',
  '/openapi.json',
];

/** Addresses of pages and files, with unexpected parts. */
const pageAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    page: fc.constantFrom(...PAGES),
    rest: text,
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE1'),
  })
  .map(({ page, rest, method }) => ({
    kind: 'http',
    what: `page ${page}`,
    method: method === 'TRACE1' ? 'PROPFIND' : method,
    path: `${page}${page.includes('callback') ? '?' : '/'}${encodeURIComponent(rest.toWellFormed())}`.slice(0, 8_000),
    type: '',
    body: null,
    sender: 'nobody',
  }));

const REQUEST_LINES = [
  'GET / HTTP/1.1',
  'POST /api/user/login HTTP/1.1',
  'GET /ws/login?loginId=x HTTP/1.1',
  'G\0T / HTTP/1.1',
  'GET http://[::1 HTTP/1.1',
  'PRI * HTTP/2.0',
  'GET //%ff HTTP/1.0',
];
const HEADERS = [
  'Host: localhost',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 99',
  'Expect: 100-continue',
  `X: ${'y'.repeat(20_000)}`,
  'Bad Header',
  ' Folded: x',
  'Content-Type: application/json',
];

/** Input that is barely HTTP. */
const rawAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    line: fc.oneof(fc.constantFrom(...REQUEST_LINES), fc.string({ unit: 'binary-ascii', maxLength: 80 })),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 6 }),
    body: fc.oneof(
      fc.constantFrom('', '5\r\nhello\r\n0\r\n\r\n', 'ffffffffffffffff\r\n', '{"a":'),
      fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    ),
  })
  .map(({ line, headers, body }) => ({
    kind: 'raw',
    what: 'bytes',
    bytes: [line, ...headers, 'Connection: close', '', body].join('\r\n'),
  }));

export const protocolAttempt: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 5, arbitrary: oidcAttempt },
  { weight: 4, arbitrary: samlAttempt },
  { weight: 6, arbitrary: scimAttempt },
  { weight: 3, arbitrary: pageAttempt },
  { weight: 2, arbitrary: rawAttempt },
);
