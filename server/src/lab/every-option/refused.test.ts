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

/** Options in combinations in which they would have no effect. */
test.each<[string, (on: Portal) => Promise<unknown>, string]>([
  [
    'a body in a response to HEAD',
    (on) => on.fault({ match: HEAD, answer: { status: 200, body: 'x' } }),
    'answer.body',
  ],
  ['cut: body for a response to HEAD', (on) => on.fault({ match: HEAD, answer: { cut: 'body' } }), 'answer.cut'],
  ['a body with the status 204', (on) => on.fault({ match, answer: { status: 204, body: 'x' } }), 'answer.body'],
  [
    'headers without a status',
    (on) => on.fault({ match, answer: { delayMs: 1, headers: { a: 'b' } } }),
    'answer.headers',
  ],
  ['a delay combined with hang', (on) => on.fault({ match, answer: { hang: true, delayMs: 1 } }), 'answer.delayMs'],
  [
    'an email at a path whose requests name no person',
    (on) => on.fault({ match: { path: '/oidc/acme/jwks', email: USER }, answer }),
    'match.email',
  ],
  [
    'an organisation at a path whose requests name none',
    (on) => on.fault({ match: { path: '/docs', org: 'acme' }, answer }),
    'match.org',
  ],
  [
    'a body at a path that only answers GET',
    (on) => on.fault({ match: { ...match, body: { a: 1 } }, answer }),
    'match.body',
  ],
  [
    'a number in a form',
    (on) => on.fault({ match: { path: '/oidc/acme/token', body: { max_age: 5 } }, answer }),
    'match.body.max_age',
  ],
  [
    'a client at a path whose requests name none',
    (on) => on.fault({ match: { path: '/oidc/acme/me', client: 'team-wiki' }, answer }),
    'match.client',
  ],
  [
    'a client that isn’t an OpenID Connect application',
    (on) => on.fault({ match: { path: '/oidc/acme/token', client: 'travel-desk' }, answer }),
    'match.client',
  ],
  [
    'a body for SAML responses, which follow a GET',
    (on) =>
      on.fault({ match: { path: '/saml/acme/travel-desk/sso', body: { a: 'b' } }, answer: { assertion: 'denied' } }),
    'match.body',
  ],
  [
    'opens for approvals, which have no code',
    (on) => on.policy({ match: { email: USER, kind: 'approval' }, answer: 'approve', opens: true }),
    'opens',
  ],
  ['opens for all requests', (on) => on.policy({ match: {}, answer: 'approve', opens: true }), 'opens'],
  ['a lie with the answer ignore', (on) => on.policy({ match: {}, answer: 'ignore', lie: 'old' }), 'lie'],
  ['a delay with the answer ignore', (on) => on.policy({ match: {}, answer: 'ignore', afterMs: 5 }), 'afterMs'],
  ['a reason with the answer approve', (on) => on.policy({ match: {}, answer: 'approve', reason: 'cancel' }), 'reason'],
  ['a number with the answer deny', (on) => on.policy({ match: {}, answer: 'deny', number: 'right' }), 'number'],
  [
    'a message state for a refused socket',
    (on) => on.socketFault({ channel: 'login', do: 'refuse', state: 'init' }),
    'state',
  ],
  ['a close code for a cut socket', (on) => on.socketFault({ channel: 'login', do: 'cut', code: 1001 }), 'code'],
  ['a signature for a dropped delivery', (on) => on.webhookFault({ do: 'drop', signature: 'old' }), 'signature'],
  ['a delay for a dropped delivery', (on) => on.webhookFault({ do: 'drop', ms: 5 }), 'ms'],
  ['a lifetime for expired tokens', (on) => on.tokens({ ...WIKI, expiresIn: 5, tamper: 'expired' }), 'expiresIn'],
  [
    'removing a claim that no token has',
    (on) => on.tokens({ ...WIKI, tamper: { without: 'emial' } }),
    'tamper.without',
  ],
  [
    'an OIDC application for RADIUS or LDAP exchanges',
    (on) => on.verify({ ...exchange, application: 'team-wiki' }),
    'application',
  ],
  [
    'an outcome of another protocol',
    (on) => on.verify({ ...exchange, protocol: 'ldap', outcome: 'Access-Accept' }),
    'outcome',
  ],
  ['a status for socket entries', (on) => on.verify({ kind: 'socket', status: 200, count: 0 }), 'status'],
  ['a seed and a snapshot for one space', (on) => on.space({ seed: 'none', from: 'x' }), 'from'],
  ['two changes of the clock in one call', (on) => on.clock({ advance: '5m', mode: 'real' }), 'mode'],
])('refuses %s', async (_, control, field) => {
  await expect(control(portal)).rejects.toMatchObject({ status: 400, issues: [{ path: field }] });
});

test('refuses a nonce for a token that has none', async () => {
  const { token } = await portal.session({ email: USER });
  await expect(portal.inspect({ token, nonce: 'n' })).rejects.toMatchObject({ issues: [{ path: 'nonce' }] });
});

test('refuses a number for a sign-in that displays none', async () => {
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
    const unchanged = Object.keys(headers).filter((name) => response.headers.get(name) !== 'replaced');
    expect(unchanged, `with status ${status}`).toEqual([]);
  }
});
/** Headers that frame the response or control its connection, which a fault can't set. */
const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];

test('starts the clock of a space at the requested time, even from a snapshot of another time', async () => {
  await portal.clock({ freezeAt: '2031-01-01T00:00:00Z' });
  const { snapshotId } = await portal.snapshot();
  await using space = await portal.space({ from: snapshotId, now: '2030-01-01T00:00:00Z' });
  expect((await space.clock()).now).toBe('2030-01-01T00:00:00.000Z');
  await portal.clock({ mode: 'real' });
});
