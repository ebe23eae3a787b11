import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { activateClaims, pairClaims, publicKey, respondClaims } from '../contract/devices/authenticator.ts';
import { codeOf } from '../result-codes.ts';
import { createAuthenticator } from './create-authenticator.ts';
import { createDeviceKey } from './device-key.ts';
import type { DeviceState } from './device-state.ts';
import type { Fetch } from './portal-call.ts';
import { PortalRefusal, PortalUnreachable } from './portal-refusal.ts';

const NOON = Date.parse('2030-01-01T12:00:00Z');
const phone = { name: 'Pixel 9', type: 'mobile', platform: 'Android 16' } as const;
const device: DeviceState = {
  ...phone,
  zid: 'zid-1',
  suid: 'suid-1',
  orgCode: 'acme',
  orgName: 'Acme Corporation',
  privateKeyJwk: createDeviceKey(),
};

interface Sent {
  url: string;
  body: { zid?: string; jws?: string; proof?: string; publicKey?: unknown };
}

/** Stubs the portal. Each call is recorded and gets the next answer. */
function portalThatAnswers(...answers: { body: unknown; date?: string; status?: number }[]) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, { body }) => {
    sent.push({ url, body: JSON.parse(String(body ?? '{}')) });
    const {
      body: answer,
      date = new Date(NOON).toUTCString(),
      status = 200,
    } = answers[sent.length - 1] ?? { body: null };
    return Response.json(answer, { status, headers: { date } });
  };
  return { sent, fetch };
}

function partsOf(jws = '') {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: read(header), claims: read(payload), signed: `${header}.${payload}`, signature };
}

const profile = {
  firstName: 'Avery',
  lastName: 'Lindqvist',
  email: 'avery.lindqvist@acme.test',
  primaryAttr: 'E-1',
  suid: 'suid-1',
  zid: 'zid-9',
  active: true,
  roleCode: 'USER',
  roleName: 'Org User',
  isManager: false,
  allowReporteeSearch: false,
  hasPermissionForMobileApp: true,
  hasPermissionForWindowsApp: true,
  permissions: [],
  orgId: 'acme',
};

const refusal = (resultCode: number, resultName: string) => ({
  resultCode,
  resultName,
  message: 'No.',
  requestId: 'r-1',
});

describe('an authenticator', () => {
  test('signs an answer for its organisation with its zid as kid and a fresh jti', async () => {
    const { sent, fetch } = portalThatAnswers({ body: { resultCode: 0 } }, { body: { resultCode: 0 } });
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test/', now: () => NOON, fetch });

    await authenticator.respond(device, { challengeId: 'c-1', decision: 'approve', number: '82' });
    await authenticator.respond(device, { challengeId: 'c-1', decision: 'deny', reason: 'not-me' });

    const [first, second] = sent.map(({ body }) => partsOf(body.jws));
    expect(sent[0]?.url).toBe('http://portal.test/api/authenticator/respond');
    expect(sent[0]?.body.zid).toBe('zid-1');
    expect(first?.header).toEqual({ alg: 'ES256', typ: 'device+jwt', kid: 'zid-1' });
    expect(respondClaims.parse(first?.claims)).toMatchObject({
      aud: 'acme',
      iat: NOON / 1_000,
      challengeId: 'c-1',
      decision: 'approve',
      number: '82',
    });
    expect(first?.claims.jti).not.toBe(second?.claims.jti);
    const { x, y, kty, crv } = device.privateKeyJwk;
    const key = createPublicKey({ format: 'jwk', key: { x, y, kty, crv } });
    expect(
      verify(
        'sha256',
        Buffer.from(first?.signed ?? ''),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(first?.signature ?? '', 'base64url'),
      ),
    ).toBe(true);
  });

  test('proves possession of a new key at activation and returns the device as plain data', async () => {
    const { sent, fetch } = portalThatAnswers({
      body: { resultCode: 0, zid: 'zid-9', suid: 'suid-1', orgName: 'Acme Corporation', profile },
    });
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });

    const { device: activated } = await authenticator.activate({
      orgCode: 'acme',
      email: profile.email,
      activationCode: '482913',
      device: phone,
    });

    const { header, claims } = partsOf(sent[0]?.body.proof);
    expect(header).toEqual({ alg: 'ES256', typ: 'device+jwt' });
    expect(activateClaims.parse(claims)).toMatchObject({ aud: 'acme', email: profile.email });
    const { d, ...known } = activated.privateKeyJwk;
    expect(publicKey.parse(sent[0]?.body.publicKey)).toEqual(known);
    expect(JSON.stringify(sent)).not.toContain(d);
    expect(JSON.parse(JSON.stringify(activated))).toEqual({
      ...phone,
      zid: 'zid-9',
      suid: 'suid-1',
      orgCode: 'acme',
      orgName: 'Acme Corporation',
      email: profile.email,
      privateKeyJwk: activated.privateKeyJwk,
    });
  });

  test('returns a verification code when pairing and the device once confirmed', async () => {
    const expiresAt = '2030-01-01T12:02:00.000Z';
    const { sent, fetch } = portalThatAnswers(
      { body: { resultCode: 0, pairingId: 'p-1', orgName: 'Acme Corporation', verificationCode: 'K7', expiresAt } },
      { body: { resultCode: 0, status: 'notify' } },
      { body: { resultCode: 0, status: 'complete', zid: 'zid-9', suid: 'suid-1', profile } },
    );
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });

    const pairing = await authenticator.pair({ orgCode: 'acme', aid: 'ABCD2345', device: phone });
    const waiting = await authenticator.pairStatus(JSON.parse(JSON.stringify(pairing)));
    const done = await authenticator.pairStatus(pairing);

    expect(pairing).toMatchObject({ verificationCode: 'K7', expiresAt });
    expect(pairClaims.parse(partsOf(sent[0]?.body.proof).claims).aid).toBe('ABCD2345');
    expect(partsOf(sent[1]?.body.jws).header.kid).toBeUndefined();
    expect(waiting).toEqual({ resultCode: 0, status: 'notify' });
    expect(done.device).toMatchObject({ zid: 'zid-9', email: profile.email, privateKeyJwk: pairing.privateKeyJwk });
  });

  test('reports that a pairing was cancelled in the portal', async () => {
    const { fetch } = portalThatAnswers({ body: { resultCode: codeOf('ADD_DEVICE_NO_CONSENT'), status: 'denied' } });
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });
    const pairing = {
      pairingId: 'p-1',
      orgCode: 'acme',
      orgName: 'Acme Corporation',
      expiresAt: '2030-01-01T12:02:00.000Z',
      device: phone,
      privateKeyJwk: createDeviceKey(),
    };

    expect(await authenticator.pairStatus(pairing)).toEqual({
      resultCode: codeOf('ADD_DEVICE_NO_CONSENT'),
      status: 'denied',
    });
  });
});

describe('the error handling', () => {
  test('exposes the status, code, name and message of a refusal', async () => {
    const { fetch } = portalThatAnswers({ body: refusal(59, 'DEVICE_INACTIVE') });
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });

    const error = await authenticator.pending(device).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(PortalRefusal);
    expect(error).toMatchObject({
      status: 200,
      resultCode: codeOf('DEVICE_INACTIVE'),
      resultName: 'DEVICE_INACTIVE',
      message: 'No.',
    });
  });

  test('retries EXPIRED only if the clock is wrong', async () => {
    const { sent, fetch } = portalThatAnswers({ body: refusal(10, 'EXPIRED') });
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });

    await expect(authenticator.resolve(device, 'ABCD2345')).rejects.toMatchObject({ resultCode: codeOf('EXPIRED') });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['a network error', () => Promise.reject(new TypeError('fetch failed'))],
    ['an error page from a proxy', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['JSON from another server', async () => Response.json({ error: 'nope' })],
  ])('treats %s as an unreachable portal instead of a refusal', async (_, fetch) => {
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });

    await expect(authenticator.pending(device)).rejects.toBeInstanceOf(PortalUnreachable);
  });
});

describe('an authenticator with a wrong clock', () => {
  const years = new Date(NOON + 3 * 366 * 86_400_000);

  test("signs again with the portal's time if the device is years behind", async () => {
    const { sent, fetch } = portalThatAnswers(
      { body: refusal(10, 'EXPIRED'), date: years.toUTCString() },
      { body: { resultCode: 0, challenges: [] }, date: years.toUTCString() },
    );
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });

    expect(await authenticator.pending(device)).toEqual([]);
    const [first, second] = sent.map(({ body }) => partsOf(body.jws).claims);
    expect(first.iat).toBe(NOON / 1_000);
    expect(second.iat).toBe(years.getTime() / 1_000);
    expect(second.jti).not.toBe(first.jti);
    expect(authenticator.portalNow()).toBe(years.getTime());
  });

  test("reports the refusal if the device does not follow the portal's clock", async () => {
    const { sent, fetch } = portalThatAnswers({ body: refusal(10, 'EXPIRED'), date: years.toUTCString() });
    const authenticator = createAuthenticator({
      baseUrl: 'http://portal.test',
      now: () => NOON,
      fetch,
      followsPortalClock: false,
    });

    await expect(authenticator.pending(device)).rejects.toMatchObject({ resultCode: codeOf('EXPIRED') });
    expect(sent).toHaveLength(1);
  });

  test('ignores an invalid Date header', async () => {
    const { fetch } = portalThatAnswers({ body: { resultCode: 0, challenges: [] }, date: 'yesterday' });
    const authenticator = createAuthenticator({ baseUrl: 'http://portal.test', now: () => NOON, fetch });

    await authenticator.pending(device);

    expect(authenticator.portalNow()).toBe(NOON);
  });
});
