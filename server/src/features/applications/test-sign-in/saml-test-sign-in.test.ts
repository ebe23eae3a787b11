import { beginAppTry, getAppTry, MINUTE, manageUser } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formOf, xmlOf } from '#protocols/saml/service-provider-testing.ts';
import { signInAt, testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { returnFromProtocol, testSignIns } from './test-sign-ins-testing.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';
const DESK = 'travel-desk';

let portal: TestPortal;
let token: string;
let admin: ReturnType<typeof testSignIns>;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
  admin = testSignIns(portal, token);
});
afterEach(() => portal.close());

/** Starts a test and signs a member in, up to the form that posts the response. */
async function signInFor() {
  const started = await admin.begin(DESK);
  return { ...started, ...formOf(await testBrowser(portal, USER).open(started.url)) };
}

test('passes every check with the saved settings, and sends nothing to the service provider', async () => {
  const { action, fields, cookie, tryId } = await signInFor();
  expect(action).toBe(`${portal.url}/saml/acme/try`);
  expect(xmlOf(fields)).not.toContain(`Recipient="${portal.url}`);
  const { status, headers } = await returnFromProtocol(action, cookie, fields);
  expect({ status, location: headers.location }).toEqual({
    status: 302,
    location: `/applications/${DESK}/try/${tryId}`,
  });
  const { result, ...found } = await admin.result(DESK, tryId);
  expect(result?.checks.filter(({ isMet }) => !isMet)).toEqual([]);
  expect(found).toMatchObject({ status: 'passed', protocol: 'saml' });
  expect(result?.checks.map(({ name }) => name)).toEqual([
    'XML',
    'Response signature',
    'Assertion signature',
    'Status',
    'Issuer',
    'Audience',
    'Recipient',
    'Validity',
    'Name ID',
    'Attributes',
  ]);
  const [document] = result?.documents ?? [];
  expect(document?.text).toContain('<saml:Assertion ');
  expect(document?.text).not.toContain('Signature');
});

test('fails a response that was altered in transit', async () => {
  const { action, fields, cookie, tryId } = await signInFor();
  const changed = Buffer.from(xmlOf(fields).replace('</saml:NameID>', 'x</saml:NameID>')).toString('base64');
  await returnFromProtocol(action, cookie, { ...fields, SAMLResponse: changed });
  const { status, result } = await admin.result(DESK, tryId);
  expect(status).toBe('failed');
  expect(result?.checks.map(({ isMet }) => isMet)).toEqual([false, false]);
});

test('reports a missing response signature even if the assertion is signed', async () => {
  const { action, fields, cookie, tryId } = await signInFor();
  const bare = xmlOf(fields).replace(/<ds:Signature [\s\S]*?<\/ds:Signature>/, '');
  await returnFromProtocol(action, cookie, { ...fields, SAMLResponse: Buffer.from(bare).toString('base64') });
  const { result } = await admin.result(DESK, tryId);
  expect(result?.checks.map(({ name, isMet }) => [name, isMet])).toEqual([
    ['Response signature', false],
    ['Assertion signature', true],
  ]);
});

test('allows completing a test once, in the same browser and in time', async () => {
  const { action, fields, cookie } = await signInFor();
  expect((await returnFromProtocol(action, '', fields)).status).toBe(400);
  expect((await returnFromProtocol(action, cookie, fields)).status).toBe(302);
  expect((await returnFromProtocol(action, cookie, fields)).status).toBe(400);
  const late = await signInFor();
  portal.clock.advance((10 * MINUTE) / 1_000);
  expect((await returnFromProtocol(late.action, late.cookie, late.fields)).status).toBe(400);
  expect((await testBrowser(portal).open(late.url)).status).toBe(400);
});

test('refuses to open a test that wasn’t started', async () => {
  for (const path of [`/saml/acme/${DESK}/try`, `/saml/acme/${DESK}/try?id=made-up`, '/saml/acme/nothing/try?id=x']) {
    expect((await testBrowser(portal).open(path)).status).toBe(400);
  }
});

test('denies a member who is disabled while signing in', { tags: 'whole' }, async () => {
  const started = await admin.begin(DESK);
  const browser = testBrowser(portal);
  const { url } = await browser.open(started.url);
  const returned = await signInAt(portal, portal.device(USER), url, browser.agent);
  const { suid } = memberByEmail(portal, 'acme', USER);
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  const { action, fields } = formOf(await browser.open(returned));
  await returnFromProtocol(action, started.cookie, fields);
  const { status, result } = await admin.result(DESK, started.tryId);
  expect(status).toBe('failed');
  expect(result?.checks.find(({ isMet }) => !isMet)).toMatchObject({ name: 'Status' });
});

test('doesn’t let other organisations’ administrators see or start test sign-ins', async () => {
  const { action, fields, cookie, tryId } = await signInFor();
  const { token: foreign } = await portal.signIn('admin@globex.test');
  const params = { orgCode: 'acme', appId: DESK };
  expect((await portal.call(getAppTry, { params: { ...params, tryId } }, { token: foreign })).status).toBe(403);
  expect((await portal.call(beginAppTry, { params, body: {} }, { token: foreign })).status).toBe(403);
  expect((await returnFromProtocol(action.replace('acme', 'globex'), cookie, fields)).status).toBe(400);
});
