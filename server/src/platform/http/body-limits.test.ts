import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '../../testing/contract-entries.ts';
import { type TestPortal, testPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ config: { rateLimit: 0 } });
});
afterAll(() => portal.close());

const HUGE = 1_000_000_000;
const FORM = 'application/x-www-form-urlencoded';

/** Only announces the body: a caller that is refused for its length stops sending. */
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
const withJson = ENDPOINTS.filter(({ method, body }) => method === 'POST' && body !== undefined);
const byLimit = Map.groupBy(withJson, ({ bodyBytes = MIB }) => bodyBytes);

test.each([...byLimit].map(([bytes, of]) => [bytes, of] as const))(
  'a body larger than %i bytes is told how much is allowed, at every endpoint with that limit',
  async (bytes, of) => {
    const allowed = bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / 1000} kB`;
    for (const { path } of of) {
      const answer = await announce(`/api${path.replaceAll(/[{:](\w+)\}?/g, '$1')}`, 'application/json');
      expect(answer, path).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer, path).toContain(`"message":"The body is too large: at most ${allowed}."`);
    }
  },
);

test.each([
  ['/oidc/acme/auth', FORM, '1 MiB'],
  ['/oidc/acme/session/end', FORM, '1 MiB'],
  ['/oidc/acme/token', FORM, '56 KiB'],
  ['/oidc/acme/device-authorization', FORM, '56 KiB'],
  ['/oidc/acme/device', FORM, '56 KiB'],
  ['/oidc/acme/reg', 'application/json', '1 MiB'],
  ['/saml/acme/travel-desk/sso', FORM, '300 kB'],
  ['/saml/acme/travel-desk/slo', FORM, '300 kB'],
])('so it is at %s', async (path, type, allowed) => {
  const answer = await announce(path, type);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain(`The body is too large: at most ${allowed}.`);
});

test('a browser is told so on a page', async () => {
  const answer = await announce('/oidc/acme/device', FORM, 'Accept: text/html');
  expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\ncontent-type: text\/html/i);
  expect(answer).toContain('at most 56 KiB');
});

test.each([
  ...['token', 'token/introspection', 'token/revocation', 'device-authorization', 'request', 'me'].flatMap((path) => [
    [path, 'application/json', 'application/json'] as const,
    [path, 'text/html', 'text/html'] as const,
  ]),
  ['device', '*/*', 'text/html'] as const,
])(
  'so it is at /oidc/acme/%s where the length was not told before, for %s',
  { tags: 'whole' },
  async (path, accept, type) => {
    const body = new Blob(['a='.padEnd(60_000, 'x')]).stream();
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
    expect(await answer.text()).toContain('The body is too large: at most 56 KiB.');
  },
);
