import { addPasskey, beginPasskey, deleteDevice, getUser, manageDevice, readOutbox } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setOrganisation } from '#testing/device.ts';
import { type AnswerOverrides, disablePasskeys, registerPasskey, softwareAuthenticator } from '#testing/passkey.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  setOrganisation(portal, 'acme', { webAuthnEnabled: 1 });
  ({ token } = await portal.signIn(USER));
});
afterEach(() => portal.close());

const begin = async () => (await portal.call(beginPasskey, { body: {} }, { token })).body;

async function add(overrides: AnswerOverrides = {}, by = token) {
  const { registrationId, options } = await begin();
  const { registration: credential } = softwareAuthenticator(portal.url).create(options, overrides);
  const body = { registrationId, credential };
  return { body, answer: await portal.call(addPasskey, { body }, { token: by }) };
}

async function devices() {
  const { body } = await portal.call(getUser, { query: {} }, { token });
  return body.devices;
}

test('requests a discoverable passkey for this portal that identifies its owner', async () => {
  const { options, registrationId, idTimeout } = await begin();
  expect(options).toMatchObject({
    challenge: registrationId,
    rp: { id: 'localhost' },
    user: { name: USER },
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  });
  expect(idTimeout).toBe(120);
});

test('adds a passkey as its owner’s device, once per authenticator, and emails the owner', async () => {
  const { answer, body } = await add();
  expect(answer.body).toMatchObject({ resultCode: 0, name: 'Security key' });
  const found = (await devices()).find(({ zid }) => zid === answer.body.zid);
  expect(found).toMatchObject({ type: 'webauthn', name: 'Security key', status: 'active', lastLogin: null });
  const { messages } = (await portal.call(readOutbox, { query: { to: USER } })).body;
  expect(messages[0]?.text).toContain('Security key');
  const { options } = await begin();
  expect(options.excludeCredentials).toEqual([{ type: 'public-key', id: body.credential.id, transports: ['usb'] }]);
});

test.each<[string, AnswerOverrides]>([
  ['from another origin', { origin: 'http://localhost.evil.test' }],
  ['for another host', { rpId: 'evil.test' }],
  ['with another challenge', { challenge: 'b3RoZXI' }],
  ['with an assertion instead of a registration', { type: 'webauthn.get' }],
  ['whose owner was not verified', { isVerified: false }],
  ['created in a frame on another site', { crossOrigin: true }],
  ['created in a frame on a named site', { crossOrigin: true, topOrigin: 'https://evil.test' }],
  ['that names the embedding page', { topOrigin: 'https://evil.test' }],
  ['that is backed up but not eligible', { backup: { eligible: false, state: true } }],
])('refuses to add a passkey %s (SIGNATURE_MISMATCH)', async (_, overrides) => {
  expect((await add(overrides)).answer.body).toMatchObject({ resultName: 'SIGNATURE_MISMATCH' });
  expect(await devices()).toHaveLength(1);
});

test('accepts a registration once, from its member, within two minutes (EXPIRED)', async () => {
  const { body } = await add();
  expect((await portal.call(addPasskey, { body }, { token })).body.resultName).toBe('EXPIRED');
  const other = await portal.signIn('manager@acme.test');
  expect((await add({}, other.token)).answer.body.resultName).toBe('EXPIRED');
  const { registrationId, options } = await begin();
  const { registration: credential } = softwareAuthenticator(portal.url).create(options);
  portal.clock.advance(120);
  expect((await portal.call(addPasskey, { body: { registrationId, credential } }, { token })).body.resultName).toBe(
    'EXPIRED',
  );
});

test('replaces the first registration with the second', async () => {
  const { registrationId, options } = await begin();
  const { registration: credential } = softwareAuthenticator(portal.url).create(options);
  await begin();
  expect((await portal.call(addPasskey, { body: { registrationId, credential } }, { token })).body.resultName).toBe(
    'EXPIRED',
  );
});

test('rejects a credential that is already registered (ORG_ALREADY_ENABLED)', async () => {
  const first = await begin();
  const passkey = softwareAuthenticator(portal.url).create(first.options);
  const body = { registrationId: first.registrationId, credential: passkey.registration };
  await portal.call(addPasskey, { body }, { token });
  const { registrationId } = await begin();
  const sent = { type: 'webauthn.create', challenge: registrationId, origin: portal.url, crossOrigin: false };
  const clientDataJSON = Buffer.from(JSON.stringify(sent)).toString('base64url');
  const credential = { ...body.credential, response: { ...body.credential.response, clientDataJSON } };
  expect((await portal.call(addPasskey, { body: { registrationId, credential } }, { token })).body.resultName).toBe(
    'ORG_ALREADY_ENABLED',
  );
});

test('counts passkeys towards the device limit (DEVICE_ADD_LIMIT_REACHED)', async () => {
  setOrganisation(portal, 'acme', { deviceLimit: 2 });
  const { registrationId, options } = await begin();
  const { registration: credential } = softwareAuthenticator(portal.url).create(options);
  setOrganisation(portal, 'acme', { deviceLimit: 1 });
  expect((await begin()).resultName).toBe('DEVICE_ADD_LIMIT_REACHED');
  expect((await portal.call(addPasskey, { body: { registrationId, credential } }, { token })).body.resultName).toBe(
    'DEVICE_ADD_LIMIT_REACHED',
  );
});

test('adds no passkey while passkeys are disabled (WEBAUTHN_NOT_ENABLED)', async () => {
  const { registrationId, options } = await begin();
  const { registration: credential } = softwareAuthenticator(portal.url).create(options);
  await disablePasskeys(portal);
  expect((await begin()).resultName).toBe('WEBAUTHN_NOT_ENABLED');
  expect((await portal.call(addPasskey, { body: { registrationId, credential } }, { token })).body.resultName).toBe(
    'WEBAUTHN_NOT_ENABLED',
  );
});

test('doesn’t accept a passkey in place of the last phone (AT_LEAST_ONE_DEVICE_MUST_EXIST)', async () => {
  const { zid } = await registerPasskey(portal, token);
  const { suid, zid: phone } = portal.device(USER);
  const pause = (action: 'pause' | 'enable') =>
    portal.call(manageDevice, { body: { zid, suid, action } }, { token }).then(({ body }) => body.resultCode);
  expect(await pause('pause')).toBe(0);
  expect(await pause('enable')).toBe(0);
  const other = await portal.signIn('helpdesk.admin@acme.test');
  const last = await portal.call(deleteDevice, { body: { zid: phone, suid } }, { token: other.token });
  expect(last.body.resultName).toBe('AT_LEAST_ONE_DEVICE_MUST_EXIST');
  expect((await portal.call(deleteDevice, { body: { zid, suid } }, { token })).body.resultCode).toBe(0);
  expect(await devices()).toHaveLength(1);
});
