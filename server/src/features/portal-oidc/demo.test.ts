import { virtualDeviceRepo } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signInAt, type TestBrowser, testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

/** Member with the same address in both demo organisations. */
const NOA = 'noa.berg@consulting.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

/** Approves a sign-in at globex, with the member's phone registered there. */
async function approveAtGlobex(browser: TestBrowser, email: string, page: URL): Promise<string> {
  const found = virtualDeviceRepo.listVirtualDevices(portal.deps.db, { orgCode: 'globex', email }).at(0);
  if (!found) throw new Error(`${email} has no phone at globex.`);
  const { zid, suid, orgCode, name, platform } = found.device;
  const device = { zid, suid, orgCode, orgName: found.orgName, name, type: 'mobile' as const, platform, email };
  return signInAt(portal, { ...device, privateKeyJwk: found.privateKey }, page, browser.agent);
}

// covers: spec 1.2.30, spec 2.7.24
test('signs in to acme through globex in the demo', async () => {
  const browser = testBrowser(portal);
  const atGlobex = await browser.walk('/api/oidc/login?orgCode=acme');
  expect(atGlobex.pathname).toBe('/globex/sign-in');
  const returned = await approveAtGlobex(browser, NOA, atGlobex);
  const end = await browser.walk(returned);
  expect(`${end.pathname}${end.search}`).toBe('/acme/sign-in?login=success');
  const code = new URLSearchParams(end.hash.slice(1)).get('code');
  const { body } = await browser.agent.post('/api/oidc/exchange').send({ code });
  expect(body).toMatchObject({
    resultCode: 0,
    orgId: 'acme',
    profile: { email: NOA, primaryAttr: 'E-11502', zid: '' },
  });
});

test('shows an error page in the demo if the user is unknown to acme', async () => {
  const browser = testBrowser(portal);
  const atGlobex = await browser.walk('/api/oidc/login?orgCode=acme');
  const returned = await approveAtGlobex(browser, 'admin@globex.test', atGlobex);
  const end = await browser.walk(returned);
  expect(`${end.pathname}${end.search}`).toBe('/static/sso-unknown-email?org=acme');
});

test('lets globex members still sign in at acme after a reset, which changes globex’s keys', {
  tags: 'whole',
}, async () => {
  const signIn = async () => {
    const browser = testBrowser(portal);
    const returned = await approveAtGlobex(browser, NOA, await browser.walk('/api/oidc/login?orgCode=acme'));
    return (await browser.walk(returned)).search;
  };
  expect(await signIn()).toBe('?login=success');
  await portal.lab.reset();
  expect(await signIn()).toBe('?login=success');
});

test('reaches its own provider at the back-channel address, whatever its public name', async () => {
  portal.deps.backchannelUrl = 'http://portal.internal:3000';
  const browser = testBrowser(portal);
  const returned = await approveAtGlobex(browser, NOA, await browser.walk('/api/oidc/login?orgCode=acme'));
  expect((await browser.walk(returned)).search).toBe('?login=success');
});

test.each([
  ['machine', 365],
  ['lab', 365],
  ['lab', -365],
] as const)('signs users in through globex when tokens use the %s’s time, %i days away', async (tokens, days) => {
  portal.clock.freeze(Date.now() + days * DAY);
  portal.clock.setExternalClock(tokens);
  const browser = testBrowser(portal);
  const returned = await approveAtGlobex(browser, NOA, await browser.walk('/api/oidc/login?orgCode=acme'));
  expect((await browser.walk(returned)).search).toBe('?login=success');
});
