import { scimCredentialsRepo } from '@orchestrate/db';
import { ABSENT_OPERATIONS, type AbsentOperation, NOT_IMPLEMENTED } from '@orchestrate/server/absent';
import type { TestPortal } from '@orchestrate/server/testing';
import { COMMON_REFUSALS, type ResultName } from '@orchestrate/shared';
import { z } from 'zod';
import { basic } from '../basic.ts';

/** What clients of other products may be used to; the portal's own documents say which of it is here. */
const KNOWN = {
  grants: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:openid:params:grant-type:ciba',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:saml2-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ],
  responseTypes: ['code', 'id_token', 'token', 'code id_token', 'code token', 'id_token token', 'code id_token token'],
  challenges: ['S256', 'plain'],
  clientAuthentication: [
    'client_secret_basic',
    'client_secret_post',
    'none',
    'client_secret_jwt',
    'private_key_jwt',
    'tls_client_auth',
  ],
  subjects: ['public', 'pairwise'],
  bindings: ['HTTP-Redirect', 'HTTP-POST', 'HTTP-Artifact', 'SOAP', 'PAOS'],
  scim: ['patch', 'bulk', 'filter', 'sort', 'etag', 'changePassword'],
};

const names = z.array(z.string());
const discovery = z.looseObject({
  grant_types_supported: names,
  response_types_supported: names,
  code_challenge_methods_supported: names,
  token_endpoint_auth_methods_supported: names,
  subject_types_supported: names,
  scopes_supported: names,
  id_token_signing_alg_values_supported: names,
  prompt_values_supported: names,
  dpop_signing_alg_values_supported: names,
  claims_parameter_supported: z.boolean(),
  request_uri_parameter_supported: z.boolean(),
  request_parameter_supported: z.boolean().default(false),
});
const features = z.record(z.string(), z.unknown());
const switched = z.object({ supported: z.boolean() });
const listed = z.object({ Resources: z.array(z.object({ name: z.string(), endpoint: z.string() })) });

/**
 * SUPPORTED.md, from the routes, the contract and the documents with which a running portal describes its protocols.
 */
export async function supportedPage(portal: TestPortal): Promise<string> {
  return `# What is supported

Written by \`pnpm generate\` from the routes of a running portal, its contract, and the documents with which it describes itself to other programs;
a test fails if this page says anything else. *Served* works. *Refused* is understood and answered with the error of its standard. *Absent* answers
**501**: \`"error": "${NOT_IMPLEMENTED}"\`, in SCIM \`"scimType": "notImplemented"\`. Nothing else uses these words, so that nobody takes what is not there for
something that has expired. An address that no standard and no contract names is 404.

${await openId(portal)}

${await saml(portal)}

${await scim(portal)}

${NETWORK}

${api(portal)}
`;
}

/** They describe themselves in no document; their tests hold them to this. */
const NETWORK = `## RADIUS and LDAP

Where \`RADIUS_PORT\`, \`LDAP_PORT\` or \`LDAPS_PORT\` is set. A sign-in is a challenge like any other: in the history, in the lab's journal (\`challenge\`), and
answered by its phones and policies. Packets and messages themselves are not in the journal, and faults do not meet them.

| | served | refused |
|---|---|---|
| RADIUS over UDP ([decision 173](docs/decisions/173-radius-and-ldap.md)) | a port for each organisation, PAP, Access-Challenge with State, Status-Server, Proxy-State, retransmissions | CHAP and EAP: Access-Reject; a request without the right Message-Authenticator, accounting and everything else: no answer |
| LDAP version 3 ([decision 173](docs/decisions/173-radius-and-ldap.md)) | simple bind, search, also in pages, compare, RootDSE and subschema, Who am I, StartTLS where there is a certificate, LDAPS | SASL 7; other critical controls 12; add, modify, delete and rename 53; matching rules find nobody |`;

async function openId(portal: TestPortal): Promise<string> {
  const document = discovery.parse(await read(portal, '/oidc/acme/.well-known/openid-configuration'));
  const endpoints = Object.entries(document).flatMap(([name, value]) =>
    typeof value === 'string' && /_endpoint$|^jwks_uri$/.test(name)
      ? [[code(name), code(value.replace(`${portal.url}/oidc/acme`, '/oidc/{orgCode}'))]]
      : [],
  );
  const among = (title: string, known: string[], served: string[]) => [
    title,
    codes(served),
    codes(known.filter((name) => !served.includes(name))),
  ];
  return `## OpenID Connect and OAuth 2.0

${table(['endpoint', 'address'], endpoints)}

${table(
  ['feature', 'served', 'refused'],
  [
    among('grants', KNOWN.grants, document.grant_types_supported),
    among('response types', KNOWN.responseTypes, document.response_types_supported),
    among('PKCE', KNOWN.challenges, document.code_challenge_methods_supported),
    among('authentication of clients', KNOWN.clientAuthentication, document.token_endpoint_auth_methods_supported),
    among('subjects', KNOWN.subjects, document.subject_types_supported),
    ['scopes', codes(document.scopes_supported), '–'],
    ['signatures of ID tokens', codes(document.id_token_signing_alg_values_supported), code('none')],
    ['prompts', codes(document.prompt_values_supported), '–'],
    ['signatures of DPoP proofs', codes(document.dpop_signing_alg_values_supported), '–'],
    onOff('parameter `claims`', document.claims_parameter_supported),
    onOff('parameter `request`', document.request_parameter_supported),
    onOff('parameter `request_uri`', document.request_uri_parameter_supported),
  ],
)}

${absent('OpenID Connect')}`;
}

async function saml(portal: TestPortal): Promise<string> {
  const metadata = await (await fetch(`${portal.url}/saml/acme/travel-desk/metadata`)).text();
  const bindingsOf = (service: string) =>
    [...metadata.matchAll(new RegExp(`<(?:\\w+:)?${service}\\s[^>]*Binding="[^"]*bindings:([^"]+)"`, 'g'))].map(
      ([, binding = '']) => binding,
    );
  const formats = [...metadata.matchAll(/nameid-format:(\w+)</g)].map(([, format = '']) => format);
  const row = (title: string, service: string) => {
    const served = bindingsOf(service);
    return [title, codes(served), codes(KNOWN.bindings.filter((binding) => !served.includes(binding)))];
  };
  return `## SAML 2.0

The organisation is an identity provider for each of its applications. Sign-in begins at the application or at the portal.

${table(['profile', 'bindings served', 'not served'], [row('Web browser single sign-on', 'SingleSignOnService'), row('Single logout', 'SingleLogoutService')])}

Formats of names: ${codes(formats)}.

${absent('SAML 2.0')}`;
}

async function scim(portal: TestPortal): Promise<string> {
  const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(portal.deps.db, 'acme') ?? {};
  const authorization = basic(username, password);
  const config = features.parse(await read(portal, '/scim/v2/acme/ServiceProviderConfig', { authorization }));
  const { Resources } = listed.parse(await read(portal, '/scim/v2/acme/ResourceTypes', { authorization }));
  return `## SCIM 2.0

${table(
  ['resource', 'address'],
  Resources.map(({ name, endpoint }) => [name, code(`/scim/v2/{orgCode}${endpoint}`)]),
)}

${table(
  ['feature', ''],
  KNOWN.scim.map((name) => [code(name), switched.parse(config[name]).supported ? 'served' : 'refused']),
)}

${table(
  ['absent', 'address', 'standard'],
  SCIM_ABSENT.map(({ name, path, standard }) => [name, code(braced(path)), standard]),
)}`;
}

/** Operations of RFC 7644 that a directory may ask for. */
export const SCIM_ABSENT = [
  { name: 'The directory itself', method: 'GET', path: '/scim/v2/:orgCode/Me', standard: 'RFC 7644 §3.11' },
];

function api({ deps: { registered } }: TestPortal): string {
  const areas = Map.groupBy(registered.endpoints, ({ area }) => area);
  const rows = [...areas].flatMap(([area, entries]) =>
    entries.map(({ method, path, summary, news = [], refuses = [] }) => ({
      area,
      method,
      path: braced(`/api${path}`),
      summary,
      results: [...news, ...refuses],
    })),
  );
  const sorted = rows.toSorted(
    (a, b) => compare(a.area, b.area) || compare(a.path, b.path) || compare(a.method, b.method),
  );
  return `## The portal's API

Every operation of the contract is served; the fields and permissions of each are at \`/docs\`. Its results are those of its own; besides, every
operation that they can concern answers \`SUCCESS\`, ${codes(COMMON_REFUSALS)}.

${table(
  ['area', 'operation', 'what it does', 'its results'],
  sorted.map(({ area, method, path, summary, results }) => [
    area,
    code(`${method} ${path}`),
    summary,
    codes(results.toSorted(compare)),
  ]),
)}

## Live channels

${table(
  ['channel', 'what it shows', 'its results'],
  registered.channels
    .map(({ path, summary }) => [code(path), summary, codes(CHANNEL_RESULTS[path] ?? [])])
    .toSorted(([a = ''], [b = '']) => compare(a, b)),
)}`;
}

/** Results that messages of a channel carry. */
const CHANNEL_RESULTS: Readonly<Record<string, readonly ResultName[]>> = {
  '/ws/add-device': [
    'ADD_DEVICE_NO_CONSENT',
    'DEVICE_ADD_LIMIT_REACHED',
    'EXPIRED',
    'INVALID_VALIDATION_CODE',
    'VCODE_NOT_FOUND',
  ],
  '/ws/login': ['EXPIRED', 'LOGIN_INIT', 'LOGIN_PENDING', 'LOGIN_REJECTED', 'LOGIN_SUCCESS'],
  '/ws/test-device': ['EXPIRED', 'TEST_DEVICE_SUCCESS'],
  '/ws/verbal': ['EXPIRED', 'LOGIN_NO_CONSENT'],
};

const absent = (protocol: AbsentOperation['protocol']): string =>
  table(
    ['absent', 'address', 'standard'],
    ABSENT_OPERATIONS.filter((one) => one.protocol === protocol).map(({ name, path, standard }) => [
      name,
      code(braced(path)),
      standard,
    ]),
  );

async function read({ url }: TestPortal, path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, { headers });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`);
  return answer.json();
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const braced = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');
const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[]): string => texts.map(code).join(', ') || '–';
const onOff = (title: string, isServed: boolean): string[] => [title, isServed ? 'yes' : '–', isServed ? '–' : 'yes'];

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
