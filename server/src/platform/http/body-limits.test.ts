import { once } from 'node:events';
import { connect } from 'node:net';
import { LIMITS, login } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#testing/contract-entries.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal({ config: { rateLimit: 0 } });
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterAll(() => portal.close());

const HUGE = 1_000_000_000;
const FORM = 'application/x-www-form-urlencoded';

/** Sends only the headers of a request with a body and returns the response. */
async function announce(path: string, type: string, more = ''): Promise<string> {
  const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`, `Content-Length: ${HUGE}`];
  socket.write(`${[...head, ...(more ? [more] : [])].join('\r\n')}\r\n\r\n`);
  try {
    let answer = '';
    while (!/\r\n\r\n[\s\S]/.test(answer)) answer += String((await once(socket, 'data'))[0]);
    return answer;
  } finally {
    socket.destroy();
  }
}

const MIB = 1_048_576;
const isAnonymous = ({ access }: (typeof ENDPOINTS)[number]) => access.who === 'public' || access.who === 'device';
const withJson = ENDPOINTS.filter(({ method, body }) => method === 'POST' && body !== undefined);
const byLimit = Map.groupBy(withJson, (entry) =>
  isAnonymous(entry) ? LIMITS.publicBodyBytes : (entry.bodyBytes ?? MIB),
);
const addressOf = (path: string) => `/api${path.replaceAll(/[{:](\w+)\}?/g, '$1')}`;

test.each([...byLimit].map(([bytes, of]) => [bytes, of] as const))(
  'states the limit of %i bytes at every endpoint with that limit',
  async (bytes, of) => {
    const [size, unit] = [bytes / MIB, bytes / 1024].every(Number.isInteger)
      ? [bytes / MIB, 'MiB']
      : Number.isInteger(bytes / 1024)
        ? [bytes / 1024, 'KiB']
        : [bytes / 1000, 'kB'];
    for (const { path } of of) {
      const answer = await announce(addressOf(path), 'application/json', `Authorization: Bearer ${token}`);
      expect(answer, path).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer, path).toContain(`"message":"The body must be ${size} ${unit} or smaller."`);
    }
  },
);

// covers: security T5
test('does not read large anonymous bodies at endpoints that require a session', async () => {
  const signedIn = withJson.filter((entry) => !isAnonymous(entry) && entry.access.who !== 'lab');
  expect(signedIn.length).toBeGreaterThan(20);
  for (const { path } of signedIn) {
    expect(await announce(addressOf(path), 'application/json'), path).toMatch(/^HTTP\/1\.1 401 /);
  }
});

/** Sends a body in chunks and returns the response. */
const sendChunked = (path: string, type: string, text: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, portal.url), {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: new Blob([text]).stream(),
    duplex: 'half',
  });

test('applies the same limit to chunked bodies', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`unknown${at}`, at]));
  const path = addressOf(login.path);
  const refused = await sendChunked(path, 'application/json', JSON.stringify(unknown));
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain('The body must be 16 KiB or smaller.');
  const body = { orgCode: 'acme', mode: 'QID', unknown: 'x'.repeat(10_000) };
  expect((await sendChunked(path, 'application/json', JSON.stringify(body))).status).toBe(200);
  const large = JSON.stringify({ name: 'x'.repeat(20_000) });
  expect((await sendChunked('/api/org/registration-tokens', 'application/json', large)).status).toBe(401);
});

test.each([
  ['/oidc/acme/auth', FORM, '16 KiB'],
  ['/oidc/acme/session/end', FORM, '16 KiB'],
  ['/oidc/acme/token', FORM, '16 KiB'],
  ['/oidc/acme/device-authorization', FORM, '16 KiB'],
  ['/oidc/acme/device', FORM, '16 KiB'],
  ['/oidc/acme/reg', 'application/json', '16 KiB'],
  ['/saml/acme/travel-desk/sso', FORM, '64 KiB'],
  ['/saml/acme/travel-desk/slo', FORM, '64 KiB'],
])('states the limit at %s', async (path, type, allowed) => {
  const answer = await announce(path, type);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain(`The body must be ${allowed} or smaller.`);
});

test('returns a browser page that states the limit', async () => {
  const answer = await announce('/oidc/acme/device', FORM, 'Accept: text/html');
  expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\ncontent-type: text\/html/i);
  expect(answer).toContain('16 KiB or smaller');
});

test.each([
  ...['token', 'token/introspection', 'token/revocation', 'device-authorization', 'request', 'me'].flatMap((path) => [
    [path, 'application/json', 'application/json'] as const,
    [path, 'text/html', 'text/html'] as const,
  ]),
  ['device', '*/*', 'text/html'] as const,
])(
  'enforces the limit at /oidc/acme/%s on a body without a Content-Length, as %s',
  { tags: 'whole' },
  async (path, accept, type) => {
    const body = new Blob(['a='.padEnd(20_000, 'x')]).stream();
    const headers = { 'content-type': FORM, accept };
    const answer = await fetch(new URL(`/oidc/acme/${path}`, portal.url), {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    });
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 413,
      type: `${type}; charset=utf-8`,
    });
    const allowed = path === 'device-authorization' ? '4 KiB' : '16 KiB';
    expect(await answer.text()).toContain(`The body must be ${allowed} or smaller.`);
  },
);
