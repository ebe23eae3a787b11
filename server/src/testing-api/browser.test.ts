import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Portal } from './portal.ts';
import { startPortal } from './start-portal.ts';

const USER = 'user@acme.test';
const WIKI = 'http://localhost:8080/oidc/callback';
const QUERY = {
  client_id: 'team-wiki',
  redirect_uri: WIKI,
  response_type: 'code',
  scope: 'openid',
  state: 'a&b',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};
const AUTHORIZE = `/oidc/acme/auth?${new URLSearchParams(QUERY)}`;

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
beforeEach(() => portal.reset());
afterAll(() => portal.close());

/** Callbacks that close third-party sites, each of them on its own port. */
const sites: (() => void)[] = [];
afterEach(() => {
  for (const close of sites.splice(0)) close();
});
async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  sites.push(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

describe('a sign-in started by an application', () => {
  // The browser stops at the wiki's redirect URI, because other programs may use its port.
  const arrives = (options: { as?: string; answer?: 'approve' | 'deny' }) =>
    portal.browser({ ...options, stopsAtApplication: true }).open(AUTHORIZE);

  test('returns with a code after the phone approves', async () => {
    const { url, status } = await arrives({ as: USER });
    expect({ status, at: url.origin + url.pathname }).toEqual({ status: 0, at: WIKI });
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ code: expect.any(String), state: 'a&b' });
    await portal.verify({ kind: 'http', path: '/oidc/acme/auth/:uid', method: 'GET', atLeast: 1 });
    const back = await portal.journal({ path: '/oidc/acme/auth/:uid' });
    expect(JSON.stringify(back)).toContain('localhost:8080');
  });

  test('stays at the portal if the user denies', { tags: 'whole' }, async () => {
    const page = await arrives({ as: USER, answer: 'deny' });
    expect(page.url.pathname).toBe('/acme/sign-in');
    await portal.verify({ path: '/oidc/acme/continue', count: 0 });
  });

  test.each(['deny', 'ignore'] as const)('is answered by the browser, not by a policy to %s it', async (answer) => {
    await portal.policy({ match: { email: USER }, answer, opens: true });
    await portal.policy({ match: { org: 'acme', kind: 'app-login' }, answer });
    for (let round = 0; round < 5; round += 1) {
      expect((await arrives({ as: USER })).url.searchParams.has('code')).toBe(true);
    }
    expect((await portal.policies()).answered).toEqual([]);
    const headers = { 'x-lab-policies': 'off', 'content-type': 'application/json' };
    const misused = await fetch(`${portal.url}/api/user/login`, {
      method: 'POST',
      headers,
      body: '{"orgCode":"acme"}',
    });
    expect(await misused.json()).toMatchObject({ issues: [{ path: 'x-lab-policies' }] });
  });

  test('ends at an application that isn’t running, by redirect or posted form', async () => {
    const url = await site((_, answer) => answer.end());
    sites.pop()?.();
    const redirectUris = [`${url}/callback`];
    const oidc = {
      id: 'absent',
      type: 'oidc' as const,
      name: 'Absent',
      oidc: { kind: 'native' as const, redirectUris },
    };
    const absent = await portal.space({
      seed: { organisations: [{ code: 'acme', people: [{ email: USER, devices: [{}] }], applications: [oidc] }] },
    });
    const open = (more: object) =>
      absent
        .browser({ as: USER })
        .open(
          `/oidc/acme/auth?${new URLSearchParams({ ...QUERY, client_id: 'absent', redirect_uri: `${url}/callback`, ...more })}`,
        );
    const page = await open({});
    expect({ status: page.status, form: page.form, text: page.text }).toEqual({ status: 0, text: '' });
    expect(page.url.href).toMatch(`${url}/callback?code=`);
    const posted = await open({ response_mode: 'form_post' });
    expect(posted).toMatchObject({ status: 0, form: { code: expect.any(String), state: 'a&b' } });
    expect(posted.url.href).toBe(`${url}/callback`);
    await expect(absent.browser({ as: USER }).open(url)).rejects.toThrow(`${url} did not respond.`);
  });

  test('stops at the sign-in page without a user', async () => {
    expect((await arrives({})).url.pathname).toBe('/acme/sign-in');
  });

  test('names a user who has no phone in the error', async () => {
    await expect(arrives({ as: 'usr@acme.test' })).rejects.toThrow('Did you mean user@acme.test?');
  });
});

test('returns cookies to their origin until they expire', async () => {
  const seen: (string | undefined)[] = [];
  const url = await site(({ url: path, headers }, answer) => {
    seen.push(headers.cookie);
    if (path === '/set') {
      answer.setHeader('set-cookie', [
        'everywhere=1; Path=/; HttpOnly; Secure',
        'below=2; Path=/area',
        'folder=3',
        'over=4; Path=/; Max-Age=0',
        'long-over=5; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      ]);
    }
    if (path === '/change') answer.setHeader('set-cookie', ['everywhere=6; Path=/', 'everywhere=7; Path=/area']);
    answer.end('done');
  });
  const browser = portal.browser();
  for (const path of ['/set', '/', '/area/inside', '/areas', '/change', '/area', '/']) await browser.open(url + path);
  expect(seen).toEqual([
    undefined,
    'everywhere=1; folder=3',
    'below=2; everywhere=1; folder=3',
    'everywhere=1; folder=3',
    'everywhere=1; folder=3',
    'below=2; everywhere=7; folder=3; everywhere=6',
    'folder=3; everywhere=6',
  ]);
  await portal.browser().open(url);
  expect(seen.at(-1)).toBe(undefined);
});

test('returns a cookie exactly as it was set (RFC 6265 §5.4)', async () => {
  const set = ['x:1=state=a&a=b', 'quoted="a b"', 'encoded=%7Ea+b%zz', 'own=~{"a":1}'];
  const url = await site(({ url: path, headers }, answer) => {
    if (path === '/set') answer.setHeader('set-cookie', set);
    answer.end(headers.cookie);
  });
  const browser = portal.browser();
  await browser.open(`${url}/set`);
  expect((await browser.open(url)).text).toBe(set.join('; '));
});

test('submits self-submitting forms but stops at a form that waits for a click', async () => {
  const posted: string[] = [];
  const url = await site((request, answer) => {
    const form = `<form action="/there?a=1&amp;b=2" method="post"><input type="hidden" name="x" value="&quot;&#228;&#x26;&lt;"/></form>`;
    if (request.url === '/waits') answer.end(form);
    else if (request.method === 'GET') answer.end(`${form}<script>document.forms[0].submit()</script>`);
    else {
      request.on('data', (data) => posted.push(`${request.url} ${new URLSearchParams(String(data)).get('x')}`));
      request.on('end', () => answer.end('thank you'));
    }
  });
  expect(await portal.browser().open(`${url}/posts`)).toMatchObject({ status: 200, text: 'thank you' });
  expect(posted).toEqual(['/there?a=1&b=2 "ä&<']);
  expect((await portal.browser().open(`${url}/waits`)).text).toContain('<form');
});

test('sends the headers of a browser navigation instead of a fetch', async () => {
  const url = await site(({ headers }, answer) =>
    answer.end(`${headers['sec-fetch-mode']} ${headers['sec-fetch-dest']}`),
  );
  expect((await portal.browser().open(url)).text).toBe('navigate document');
});

test('fails on endless redirects', async () => {
  const url = await site((_request, answer) => answer.writeHead(302, { location: '/again' }).end());
  await expect(portal.browser().open(url)).rejects.toThrow(`Too many redirects at ${url}/again.`);
});
