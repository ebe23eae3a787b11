import { contract } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Portal } from '../../testing-api/portal.ts';
import { startPortal } from '../../testing-api/start-portal.ts';
import { USER } from './options-testing.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.close());

const WIKI = { client: 'team-wiki', as: USER };
const HEAD = { method: 'HEAD', path: '/api/health' } as const;
const match = { path: '/api/health' };
const answer = { status: 503 };
const exchange = { kind: 'exchange', count: 0 } as const;

/** Options that have an effect, in combinations in which they have none. */
test.each<[string, (of: Portal) => Promise<unknown>, string]>([
  [
    'a body of a response to HEAD',
    (of) => of.fault({ match: HEAD, answer: { status: 200, body: 'x' } }),
    'answer.body',
  ],
  ['a cut body of a response to HEAD', (of) => of.fault({ match: HEAD, answer: { cut: 'body' } }), 'answer.cut'],
  ['a body of a 204', (of) => of.fault({ match, answer: { status: 204, body: 'x' } }), 'answer.body'],
  [
    'headers without a status',
    (of) => of.fault({ match, answer: { delayMs: 1, headers: { a: 'b' } } }),
    'answer.headers',
  ],
  [
    'a delay of a request that hangs',
    (of) => of.fault({ match, answer: { hang: true, delayMs: 1 } }),
    'answer.delayMs',
  ],
  [
    'a person where none is named',
    (of) => of.fault({ match: { path: '/oidc/acme/jwks', email: USER }, answer }),
    'match.email',
  ],
  [
    'an organisation where none is named',
    (of) => of.fault({ match: { path: '/docs', org: 'acme' }, answer }),
    'match.org',
  ],
  [
    'codes of approvals',
    (of) => of.policy({ match: { email: USER, kind: 'approval' }, answer: 'approve', opens: true }),
    'opens',
  ],
  ['codes of everyone', (of) => of.policy({ match: {}, answer: 'approve', opens: true }), 'opens'],
  ['a lie of a phone that ignores', (of) => of.policy({ match: {}, answer: 'ignore', lie: 'old' }), 'lie'],
  ['a delay of a phone that ignores', (of) => of.policy({ match: {}, answer: 'ignore', afterMs: 5 }), 'afterMs'],
  ['a reason to approve', (of) => of.policy({ match: {}, answer: 'approve', reason: 'cancel' }), 'reason'],
  ['a number of a denial', (of) => of.policy({ match: {}, answer: 'deny', number: 'right' }), 'number'],
  ['a state of a refused socket', (of) => of.socketFault({ channel: 'login', do: 'refuse', state: 'init' }), 'state'],
  ['a code of a cut socket', (of) => of.socketFault({ channel: 'login', do: 'cut', code: 1001 }), 'code'],
  ['a signature of a dropped delivery', (of) => of.webhookFault({ do: 'drop', signature: 'old' }), 'signature'],
  ['a time of a dropped delivery', (of) => of.webhookFault({ do: 'drop', ms: 5 }), 'ms'],
  ['a lifetime of expired tokens', (of) => of.tokens({ ...WIKI, expiresIn: 5, tamper: 'expired' }), 'expiresIn'],
  ['a claim that a token never has', (of) => of.tokens({ ...WIKI, tamper: { without: 'emial' } }), 'tamper.without'],
  [
    'an OIDC application in RADIUS or LDAP',
    (of) => of.verify({ ...exchange, application: 'team-wiki' }),
    'application',
  ],
  [
    'a protocol with the outcome of another',
    (of) => of.verify({ ...exchange, protocol: 'ldap', outcome: 'Access-Accept' }),
    'outcome',
  ],
  ['a status of a socket', (of) => of.verify({ kind: 'socket', status: 200, count: 0 }), 'status'],
  ['a seed and a snapshot of a space', (of) => of.space({ seed: 'none', from: 'x' }), 'from'],
  ['two changes of the clock', (of) => of.clock({ advance: '5m', mode: 'real' }), 'mode'],
])('refuses %s', async (_, control, field) => {
  await expect(control(portal)).rejects.toMatchObject({ status: 400, issues: [{ path: field }] });
});

test('refuses a nonce with a token that has none', async () => {
  const { token } = await portal.session({ email: USER });
  await expect(portal.inspect({ token, nonce: 'n' })).rejects.toMatchObject({ issues: [{ path: 'nonce' }] });
});

test('refuses a number for a sign-in without one, and a denial of a device test', async () => {
  const { loginId = '' } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
  const wrong = portal.approve(loginId, { as: USER, number: 'wrong' });
  await expect(wrong).rejects.toMatchObject({ issues: [{ path: 'number' }] });
});

test('lets a fault replace every header of the portal', async () => {
  const own = [...(await fetch(`${portal.url}/api/health`)).headers.keys()];
  const headers = Object.fromEntries(own.filter((name) => !FRAMING.includes(name)).map((name) => [name, 'replaced']));
  for (const [status, body] of [
    [503, undefined],
    [503, 'x'],
    [200, undefined],
  ] as const) {
    await portal.fault({ match, answer: { status, headers, ...(body !== undefined && { body }) } });
    const response = await fetch(`${portal.url}/api/health`);
    const kept = Object.keys(headers).filter((name) => response.headers.get(name) !== 'replaced');
    expect(kept, `with status ${status}`).toEqual([]);
  }
});
/** Headers that frame the response, and a header that HTTP/1.1 connections need. */
const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];

test('starts the clock of a space at the requested time, whatever its snapshot', async () => {
  await portal.clock({ freezeAt: '2031-01-01T00:00:00Z' });
  const { snapshotId } = await portal.snapshot();
  await using space = await portal.space({ from: snapshotId, now: '2030-01-01T00:00:00Z' });
  expect((await space.clock()).now).toBe('2030-01-01T00:00:00.000Z');
  await portal.clock({ mode: 'real' });
});
