import { createApp, getLoginHistory, replaceSharedSecret } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setOrganisation } from '#testing/device.ts';
import { type RadiusAnswer, type RadiusRequest, radiusClient, radiusRequest } from '#testing/radius-client.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const GLOBEX_ADMIN = 'admin@globex.test';
const MEMBER_OF_BOTH = 'noa.berg@consulting.test';
/** Secret that both organisations' gateways use. */
const SHARED = 'testing123';

interface Gateway {
  orgCode: string;
  appId: string;
  name: string;
  port: number;
}

let portal: TestPortal;
let acme: Gateway;
let globex: Gateway;

beforeEach(async () => {
  portal = await testPortal({ config: { radiusPorts: [0, 0] } });
  // Create this gateway first, because the oldest application with a secret used to match.
  globex = await addGateway(GLOBEX_ADMIN, 'Globex VPN');
  portal.clock.advance(60);
  acme = await addGateway('super.admin@acme.test', 'Acme VPN');
  for (const orgCode of ['acme', 'globex']) setOrganisation(portal, orgCode, { discloseUnknownUsers: 1 });
  await portal.lab.policy({ match: { kind: 'app-login' }, answer: 'approve' });
});
afterEach(() => portal.close());

/** Adds a gateway that sends push requests to the administrator's organisation. */
async function addGateway(admin: string, name: string): Promise<Gateway> {
  const { token, orgId: orgCode } = await portal.signIn(admin);
  const radiusConfiguration = { method: 'push' as const };
  const body = { orgCode, integrationType: 'radius' as const, name, radiusConfiguration };
  const { app } = (await portal.call(createApp, { params: { orgCode }, body }, { token })).body;
  const { appId } = app;
  await portal.call(replaceSharedSecret, { params: { orgCode, appId }, body: { secret: SHARED } }, { token });
  return { orgCode, appId, name, port: app.radiusConfiguration?.port ?? 0 };
}

async function ask({ port }: Gateway, request: Partial<RadiusRequest> = {}): Promise<RadiusAnswer> {
  await using client = await radiusClient(port);
  return await client.ask({ secret: SHARED, ...request });
}

/** Returns the applications to which a member has signed in or tried to sign in. */
async function appsOf(email: string): Promise<string[]> {
  const { token } = await portal.signIn(email);
  const { records } = (await portal.call(getLoginHistory, { query: { count: 10 } }, { token })).body;
  return records.map(({ appName }) => appName ?? '');
}

test('signs in members of two organisations whose gateways have the same shared secret', async () => {
  const [own, other] = await Promise.all([ask(acme, { name: USER }), ask(globex, { name: GLOBEX_ADMIN })]);
  expect(own).toMatchObject({ code: 'accept', isProven: true, userName: USER });
  expect(other).toMatchObject({ code: 'accept', isProven: true, userName: GLOBEX_ADMIN });
  expect(await appsOf(USER)).toContain(acme.name);
  expect(await appsOf(GLOBEX_ADMIN)).toContain(globex.name);
});

// covers: security T7, security 8.4.1
test("rejects another organisation's members, regardless of the NAS-Identifier", async () => {
  for (const nas of [undefined, globex.appId, 'globex', acme.appId]) {
    const more = nas === undefined ? {} : { nas };
    expect(await ask(acme, { name: GLOBEX_ADMIN, ...more })).toMatchObject({ code: 'reject', isProven: true });
    expect(await ask(globex, { name: USER, ...more })).toMatchObject({ code: 'reject', isProven: true });
  }
  expect(await appsOf(USER)).not.toContain(globex.name);
  expect(await appsOf(GLOBEX_ADMIN)).not.toContain(acme.name);
});

test("prompts a member of two organisations only for the port's organisation", async () => {
  await portal.lab.clearPolicies();
  for (const gateway of [acme, globex]) {
    await using client = await radiusClient(gateway.port);
    client.send(radiusRequest({ secret: SHARED, name: MEMBER_OF_BOTH, nas: globex.appId }));
    await client.ask({ secret: SHARED, code: 12 });
    const requests = (await portal.lab.requests()).filter(({ orgCode }) => orgCode === gateway.orgCode);
    expect(requests).toMatchObject([{ email: MEMBER_OF_BOTH, appName: gateway.name }]);
  }
  expect(await portal.lab.requests()).toHaveLength(2);
});

test("rejects the State of another organisation's sign-in", async () => {
  setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
  const { state } = await ask(acme, { name: USER });
  expect(state).not.toBe('');
  expect(await ask(globex, { name: USER, state })).toMatchObject({ code: 'reject' });
  expect(await ask(acme, { name: USER, state })).toMatchObject({ code: 'accept' });
});
