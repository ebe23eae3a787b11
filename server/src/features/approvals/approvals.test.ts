import {
  beginApproval,
  getOidcConfiguration,
  login,
  type PortalOidc,
  readOutbox,
  saveOidcConfiguration,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSession } from '#core/sign-in/sessions.ts';
import { approvalFor, approveOnPhone } from '#testing/approving.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'security.admin@acme.test';
const PROVIDER: PortalOidc = {
  configurationUrl: 'https://login.acme.test/oidc',
  clientId: 'portal',
  clientSecret: 'a secret',
  buttonLabel: 'Continue with Acme',
  enabled: true,
};
const action = 'save-oidc-configuration';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
});
afterEach(() => portal.close());

const save = async (approvalId?: string, content = PROVIDER, by = token) =>
  (await portal.call(saveOidcConfiguration, { body: { ...content, approvalId } }, { token: by })).body;
const begin = async () => (await portal.call(beginApproval, { body: { action, content: PROVIDER } }, { token })).body;

// covers: security 7.5.1
test('refuses a provider change without an approval', async () => {
  expect(await save()).toMatchObject({ resultName: 'AUTHENTICATION_INCOMPLETE' });
  expect((await portal.call(getOidcConfiguration, {}, { token })).body.clientId).toBe('acme-portal-sso');
});

test('authorises one save with an approval on the member’s own device', async () => {
  const { approvalId, matchNumber: number } = await begin();
  expect((await save(approvalId)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
  await approveOnPhone(portal, portal.device(ADMIN), { approvalId, number });
  expect(await save(approvalId)).toMatchObject({ resultCode: 0, clientId: 'portal' });
  expect((await save(approvalId)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
});

test('accepts an approval only for the change displayed on the device', async () => {
  const approvalId = await approvalFor(portal, { action, content: PROVIDER, token });
  expect((await save(approvalId, { ...PROVIDER, configurationUrl: 'https://evil.test/' })).resultName).toBe(
    'AUTHENTICATION_INCOMPLETE',
  );
  expect((await save(approvalId)).resultCode).toBe(0);
});

test('accepts an approval only from its member', async () => {
  const approvalId = await approvalFor(portal, { action, content: PROVIDER, token });
  const { token: other } = await portal.signIn('super.admin@acme.test');
  expect((await save(approvalId, PROVIDER, other)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
});

test('expires an approval after two minutes', async () => {
  const approvalId = await approvalFor(portal, { action, content: PROVIDER, token });
  portal.clock.advance(120);
  expect((await save(approvalId)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
});

test('refuses an approved change with invalid settings', async () => {
  const content = { ...PROVIDER, clientSecret: '' };
  const approvalId = await approvalFor(portal, { action, content, token });
  expect((await save(approvalId, content)).resultName).toBe('INVALID_REQUEST');
});

test('rejects denied approvals and approvals with the wrong number', async () => {
  const denied = await begin();
  const phone = portal.device(ADMIN);
  await approveOnPhone(portal, phone, {
    approvalId: denied.approvalId,
    number: denied.matchNumber,
    decision: 'deny',
  });
  expect((await save(denied.approvalId)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
  const expired = await begin();
  const number = expired.matchNumber === '11' ? '12' : '11';
  await expect(approveOnPhone(portal, phone, { approvalId: expired.approvalId, number })).rejects.toThrow();
  expect((await save(expired.approvalId)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
});

test('makes the member wait longer after each denial (HTTP 429) until a request is approved', async () => {
  const phone = portal.device(ADMIN);
  const ask = () => portal.call(beginApproval, { body: { action, content: PROVIDER } }, { token });
  const denyOne = async () => {
    const { approvalId, matchNumber: number } = (await ask()).body;
    await approveOnPhone(portal, phone, { approvalId, number, decision: 'deny' });
  };
  // The first denial may have been an accidental tap, so it causes no wait.
  await denyOne();
  for (const seconds of [30, 120, 600]) {
    await denyOne();
    const { status, headers, body } = await ask();
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: `${seconds}` });
    expect(body).toMatchObject({
      resultName: 'BAD_REQUEST',
      message: expect.stringContaining('was denied on the device'),
    });
    const push = await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: ADMIN } });
    expect(push.headers['retry-after']).toBe(`${seconds}`);
    portal.clock.advance(seconds);
    ({ token } = startSession(portal.deps, portal.device(ADMIN)));
  }
  const { approvalId, matchNumber: number } = (await ask()).body;
  await approveOnPhone(portal, phone, { approvalId, number });
  await denyOne();
  expect((await ask()).status).toBe(200);
});

test('allows at most two pending approvals, to avoid approving the wrong one', async () => {
  await begin();
  await begin();
  expect((await begin()).resultName).toBe('BAD_REQUEST');
});

test('requires the permission to save before an approval can be requested', async () => {
  const { token: user } = await portal.signIn('user@acme.test');
  const { body } = await portal.call(beginApproval, { body: { action, content: PROVIDER } }, { token: user });
  expect(body.resultName).toBe('INVALID_PERMISSIONS');
});

test('names the approval in the administrators’ alert after “It wasn’t me”', async () => {
  const { approvalId: challengeId } = await begin();
  await portal.authenticator.respond(portal.device(ADMIN), { challengeId, decision: 'deny', reason: 'not-me' });
  const { messages } = (await portal.call(readOutbox, { query: { to: 'super.admin@acme.test' } })).body;
  const [alert] = messages.filter(({ subject }) => subject.startsWith('Security: '));
  expect(alert?.subject).toContain('didn’t request an approval');
  expect(alert?.text).toContain('Approval of “Let people sign in to the portal through login.acme.test”');
});
