import { PROVISIONING_DIALECTS } from '@orchestrate/shared';
import { startReceiver } from '#testing/receiver.ts';
import type { Portal } from '../../testing-api/portal.ts';
import { type Case, each, MANAGER, proveOptions, type Run, USER } from './options-testing.ts';

const STATUSES = ['unregistered', 'unverified', 'invited', 'active', 'inactive'] as const;
/** A member of acme and globex. */
const BOTH = 'noa.berg@consulting.test';
const NEW = 'kim@acme.test';
const THEN = '2030-01-01T00:00:00.000Z';
const WORLD = { organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test' }] }] };

const codesIn = async (portal: Portal) => [...new Set((await portal.devices()).map(({ orgCode }) => orgCode))];

/** Starts a space. Returns its organisations and whether its clock shows the year of `THEN`. */
const starting =
  (optionsOf: (run: Run) => Promise<object> | object): Case =>
  async (run) => {
    await using space = await run.portal.space(await optionsOf(run));
    const clock = await space.clock();
    return [await codesIn(space), clock.now.slice(0, 4), clock.mode, (await run.portal.spaces())[0]?.name === 'worker'];
  };

const creating =
  (optionsOf: (run: Run) => Partial<Parameters<Portal['person']>[0]>): Case =>
  async (run) => {
    const { orgCode, role, status, manager, devices, ...person } = await run.portal.person({
      org: 'acme',
      ...optionsOf(run),
    });
    const owned = devices.map(({ type, name }) => [type, name.replace(person.firstName, 'First')]);
    return [orgCode, person.email === NEW, role, status, manager, owned];
  };

const listing =
  (query: (run: Run) => Parameters<Portal['people']>[0]): Case =>
  async (run) => {
    const { people, total } = await run.portal.people(query(run));
    return [total, people.map(({ email }) => email)];
  };

/** Replays a directory's requests. Returns them as the service receives them. */
const replaying =
  (optionsOf: (run: Run, url: string) => Partial<Parameters<Portal['provision']>[0]>): Case =>
  async (run) => {
    const service = await startReceiver();
    service.answerWith({ status: 201, body: JSON.stringify({ id: '1', totalResults: 0, Resources: [] }) });
    const { steps } = await run.portal.provision({ dialect: 'okta', url: service.url, ...optionsOf(run, service.url) });
    await service.close();
    const received = service.received.map(({ headers, body }) => [headers.authorization, body]);
    return [steps.map(({ method, path }) => [method, path]), received, steps[0]?.status];
  };

/** Sets the clock. Returns its state, with a time that real seconds don't change. */
const setting =
  (body: (run: Run) => Parameters<Portal['clock']>[0], before?: Parameters<Portal['clock']>[0]): Case =>
  async (run) => {
    if (before) await run.portal.clock(before);
    const { now, mode, tokens } = await run.portal.clock(body(run));
    return [now.slice(0, 4), mode, tokens];
  };

proveOptions('state', {
  'makePerson org': creating(({ given }) => given({ org: 'globex' })),
  'makePerson email': creating(({ given }) => given({ email: NEW })),
  'makePerson role': creating(({ given }) => given({ role: 'HELPDESK_ADMIN' })),
  ...each('makePerson status', STATUSES, (status) =>
    creating(({ given }) => given({ status }, { status: status === 'active' ? 'inactive' : 'active' })),
  ),
  'makePerson manager': creating(({ given }) => given({ manager: MANAGER })),
  'makePerson devices.type: mobile': creating(({ given }) => ({
    devices: [given({ type: 'mobile' }, { type: 'desktop' })],
  })),
  'makePerson devices.type: desktop': creating(({ given }) => ({ devices: [given({ type: 'desktop' })] })),
  'makePerson devices.name': creating(({ given }) => ({ devices: [given({ name: 'Old phone' })] })),
  'readPeople org': listing(({ given }) => given({ org: 'globex' })),
  'readPeople email': listing(({ given }) => given({ email: USER })),
  ...each('readPeople status', STATUSES, (status) => listing(({ given }) => given({ status }))),
  'readPeople limit': listing(({ given }) => given({ limit: '3' })),
  'makeSession email': async ({ portal, given }) =>
    (await portal.session(given({ email: MANAGER }, { email: USER }))).profile.email,
  'makeSession org': async ({ portal, given }) =>
    portal.session({ email: BOTH, ...given({ org: 'globex' }) }).then(
      ({ orgId }) => orgId,
      ({ resultName }) => resultName,
    ),

  'makeSpace seed': starting(({ given }) => given({ seed: WORLD })),
  'makeSpace seed: demo': starting(({ given }) => given({ seed: 'demo' }, { seed: 'none' })),
  'makeSpace seed: none': starting(({ given }) => given({ seed: 'none' })),
  'makeSpace from': starting(async ({ portal, given }) => {
    await portal.reset({ seed: WORLD });
    const { snapshotId } = await portal.snapshot();
    await portal.reset({ seed: 'demo' });
    return given({ from: snapshotId });
  }),
  'makeSpace name': starting(({ given }) => given({ name: 'worker' })),
  'makeSpace now': starting(({ given }) => given({ now: THEN })),
  'resetLab seed': async ({ portal, given }) => {
    await portal.reset(given({ seed: WORLD }));
    return codesIn(portal);
  },
  'resetLab seed: demo': async ({ portal, given }) => {
    await portal.reset(given({ seed: 'demo' }, { seed: WORLD }));
    return codesIn(portal);
  },
  'resetLab seed: none': async ({ portal, given }) => {
    await portal.reset(given({ seed: 'none' }));
    return codesIn(portal);
  },
  'takeSnapshot name': async ({ portal, given }) => {
    const { snapshotId, drop } = await portal.snapshot(given({ name: 'signed in' }));
    const taken = (await portal.snapshots()).find((one) => one.snapshotId === snapshotId);
    await drop();
    return taken?.name.replace(snapshotId, '').replaceAll(/\d/g, '');
  },
  'virtualDevices orgCode': async ({ portal, given }) =>
    (await portal.devices(given({ orgCode: 'globex' }))).map(({ zid }) => zid),

  'setClock advanceSeconds': setting(({ given }) => given({ advanceSeconds: 63_072_000 }, { tokens: 'machine' })),
  'setClock advance': setting(({ given }) => given({ advance: '730d' }, { tokens: 'machine' })),
  'setClock freezeAt': setting(({ given }) => given({ freezeAt: THEN }, { tokens: 'machine' })),
  'setClock mode: real': setting(({ given }) => given({ mode: 'real' }, { tokens: 'machine' }), { freezeAt: THEN }),
  'setClock mode: frozen': setting(({ given }) => given({ mode: 'frozen' }, { tokens: 'machine' })),
  ...each('setClock tokens', ['machine', 'lab'], (tokens) => async (run) => {
    await run.portal.clock({ freezeAt: THEN, tokens: tokens === 'lab' ? 'machine' : 'lab' });
    await run.portal.clock({ advanceSeconds: 1, ...run.given({ tokens }) });
    const { idToken = '' } = await run.portal.tokens({ client: 'team-wiki', as: USER });
    const { exp } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
    return new Date(exp * 1_000).getUTCFullYear();
  }),

  ...each('replayProvisioning dialect', PROVISIONING_DIALECTS, (dialect) =>
    replaying(({ given }) => given({ dialect }, { dialect: dialect === 'okta' ? 'entra' : 'okta' })),
  ),
  'replayProvisioning url': replaying(({ given }) => given({ url: 'http://127.0.0.1:9' })),
  'replayProvisioning token': replaying(({ given }) => given({ token: 'secret' })),
  'replayProvisioning username': replaying(({ given }) => given({ username: 'okta' })),
  'replayProvisioning password': replaying(({ given }) => ({ username: 'okta', ...given({ password: 'secret' }) })),
  'replayProvisioning email': replaying(({ given }) => given({ email: NEW })),
});
