import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createApp, getApp, setUp, type World } from '@orchestrate/shared';
import { afterEach, expect, test } from 'vitest';
import { formatSetupCode } from '#features/setup/routes.ts';
import { startTable } from '#process/start-table.ts';
import { radiusClient } from '#testing/radius-client.ts';
import { type TestPortal, type TestPortalOptions, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
afterEach(() => portal.close());

const start = async (radiusPorts: readonly [number, number], options: TestPortalOptions = {}) => {
  portal = await testPortal({ config: { radiusPorts }, ...options });
};

/** Binds a UDP socket to a port. Returns undefined if the port is in use. */
async function take(port: number) {
  const socket = createSocket('udp4');
  try {
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    return { port: socket.address().port, free: () => once(socket.close(), 'close') };
  } catch {
    return undefined;
  }
}

async function isFree(port: number): Promise<boolean> {
  const taken = await take(port);
  await taken?.free();
  return taken !== undefined;
}

/** Returns the first port of a sequence of free ports. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const [first] = [await take(0)];
    await first?.free();
    if (!first || first.port + count > 65_535) continue;
    const rest = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first.port + at)));
    if (rest.every(Boolean)) return first.port;
  }
}

async function addGateway(admin: string, name = 'Gateway') {
  const { token, orgId: orgCode } = await portal.signIn(admin);
  const body = { orgCode, integrationType: 'radius' as const, name };
  const { app } = (await portal.call(createApp, { params: { orgCode }, body }, { token })).body;
  const read = async () => {
    const { app: now } = (await portal.call(getApp, { params: { orgCode, appId: app.appId } }, { token })).body;
    return now.radiusConfiguration;
  };
  return { ...app.radiusConfiguration, read };
}

const table = () => startTable(portal.deps, portal.deps.config, true);

async function isAnswered(port: number, secret: string): Promise<boolean> {
  await using client = await radiusClient(port);
  return (await client.ask({ secret, code: 12 })).code === 'accept';
}

const world = (...codes: string[]): World => ({
  organisations: codes.map((code) => ({
    code,
    people: [{ email: `admin@${code}.test`, role: 'SUPER_ADMIN' }],
    applications: [{ id: 'vpn', type: 'radius', radius: { secret: `secret-of-${code}` } }],
  })),
});

test('assigns the ports of a range to organisations in creation order', async () => {
  const first = await freePorts(3);
  await start([first, first + 2]);
  const acme = await addGateway('super.admin@acme.test');
  const globex = await addGateway('admin@globex.test');
  expect([acme, globex]).toMatchObject([
    { port: first, noPort: null },
    { port: first + 1, noPort: null },
  ]);
  expect(await isAnswered(first, acme.secret ?? '')).toBe(true);
  expect(await isAnswered(first + 1, globex.secret ?? '')).toBe(true);
  expect(table()).toMatch(
    new RegExp(`RADIUS for acme +127\\.0\\.0\\.1:${first}, UDP\n.*globex +127\\S+:${first + 1},`),
  );
  // The third port is reserved for a future organisation.
  expect(await isFree(first + 2)).toBe(true);
});

test('reports that other organisations have no port if only one is configured', async () => {
  const first = await freePorts(1);
  await start([first, first]);
  expect(await addGateway('super.admin@acme.test')).toMatchObject({ port: first, noPort: null });
  const globex = await addGateway('admin@globex.test');
  expect(globex).toMatchObject({ port: null, noPort: 'range-too-small' });
  expect(await globex.read()).toMatchObject({ port: null, noPort: 'range-too-small' });
  expect(table()).toContain(`no port: set RADIUS_PORT to a range, e.g. ${first}-${first + 1}`);
});

test('opens and closes ports when a reset changes organisations, without affecting others', async () => {
  const first = await freePorts(3);
  await start([first, first + 2], { seed: 'none' });
  expect(await isFree(first)).toBe(true);
  await portal.lab.reset({ seed: world('initech', 'hooli') });
  await portal.deps.ports.radius?.settled();
  expect(await isAnswered(first, 'secret-of-initech')).toBe(true);
  expect(await isAnswered(first + 1, 'secret-of-hooli')).toBe(true);
  await portal.lab.reset({ seed: world('initech') });
  await portal.deps.ports.radius?.settled();
  expect(await isAnswered(first, 'secret-of-initech')).toBe(true);
  expect(await isFree(first + 1)).toBe(true);
  await portal.lab.reset({ seed: world('vehement', 'initech', 'hooli') });
  await portal.deps.ports.radius?.settled();
  expect(await isAnswered(first, 'secret-of-vehement')).toBe(true);
  expect(await isAnswered(first + 1, 'secret-of-initech')).toBe(true);
  expect(await isAnswered(first + 2, 'secret-of-hooli')).toBe(true);
  await portal.close();
  expect(await Promise.all([first, first + 1, first + 2].map(isFree))).toEqual([true, true, true]);
});

test('opens a port for an organisation that is set up while the portal is running', async () => {
  const first = await freePorts(1);
  await start([first, first], { seed: 'none' });
  const person = { firstName: 'Bill', lastName: 'Lumbergh', email: 'bill@initech.test' };
  const body = { code: formatSetupCode(portal.deps), orgCode: 'initech', orgName: 'Initech', ...person };
  expect((await portal.call(setUp, { body })).status).toBe(200);
  await portal.deps.ports.radius?.settled();
  expect(await isFree(first)).toBe(false);
  expect(table()).toContain(`127.0.0.1:${first}, UDP`);
});

test('reports a port as in use if another program took it while the portal was running', async () => {
  const first = await freePorts(2);
  await start([first, first + 1], { seed: 'none' });
  await portal.lab.reset({ seed: world('initech') });
  const neighbour = await take(first + 1);
  await portal.lab.reset({ seed: 'demo' });
  expect(await addGateway('admin@globex.test')).toMatchObject({ port: null, noPort: 'in-use' });
  expect(await addGateway('super.admin@acme.test')).toMatchObject({ port: first });
  await neighbour?.free();
});

test('reports that RADIUS is off if RADIUS_PORT is not set', async () => {
  portal = await testPortal({ config: { radiusPorts: null } });
  expect(await addGateway('super.admin@acme.test')).toMatchObject({ port: null, noPort: 'off' });
});

test('assigns each organisation in a space its own port', async () => {
  await start([0, 0]);
  await using space = await portal.lab.space({ seed: world('initech', 'hooli') });
  const portOf = async (orgCode: string) => {
    const { token } = await space.session({ email: `admin@${orgCode}.test` });
    const { app } = await space.call(getApp, { params: { orgCode, appId: 'vpn' } }, { token });
    return app.radiusConfiguration?.port ?? 0;
  };
  const [initech, hooli] = [await portOf('initech'), await portOf('hooli')];
  expect(initech).not.toBe(hooli);
  expect(await isAnswered(initech, 'secret-of-initech')).toBe(true);
  expect(await isAnswered(hooli, 'secret-of-hooli')).toBe(true);
});
