import { PROVISIONING_DIALECTS } from '@orchestrate/shared';
import { spMetadata } from '#testing/metadata.ts';
import { startReceiver } from '#testing/receiver.ts';
import type { Portal } from '../../testing-api/portal.ts';
import { type Case, each, MANAGER, proveOptions, type Run, refusalOf, USER } from './options-testing.ts';

const STATUSES = ['unregistered', 'unverified', 'invited', 'active', 'inactive'] as const;
/** A member of acme and globex. */
const BOTH = 'noa.berg@consulting.test';
const NEW = 'kim@acme.test';
const THEN = '2030-01-01T00:00:00.000Z';
const WORLD = { organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test' }] }] };

const organisationsIn = async (portal: Portal) => [...new Set((await portal.devices()).map(({ orgCode }) => orgCode))];

/** Starts a space. Returns its organisations, the year and mode of its clock, and whether it has the name `worker`. */
const observeSpace =
  (inputOf: (run: Run) => Promise<object> | object): Case =>
  async (run) => {
    await using space = await run.portal.space(await inputOf(run));
    const clock = await space.clock();
    return [
      await organisationsIn(space),
      clock.now.slice(0, 4),
      clock.mode,
      (await run.portal.spaces())[0]?.name === 'worker',
    ];
  };

const observePerson =
  (inputOf: (run: Run) => Partial<Parameters<Portal['person']>[0]>): Case =>
  async (run) => {
    const { orgCode, role, status, manager, devices, ...person } = await run.portal.person({
      org: 'acme',
      ...inputOf(run),
    });
    const owned = devices.map(({ type, name }) => [type, name.replace(person.firstName, 'First')]);
    return [orgCode, person.email === NEW, role, status, manager, owned];
  };

/** Saves an application. Returns the refused field, and the application as exported, without times of the run. */
const observeApplication =
  (inputOf: (run: Run) => Partial<Parameters<Portal['application']>[0]>): Case =>
  async (run) => {
    const given = { org: 'acme', name: 'Shop', ...inputOf(run) };
    const refused = await refusalOf(run.portal.application(given));
    const { organisations = [] } = await run.portal.world();
    const saved = organisations.flatMap(({ code, applications = [] }) =>
      applications.filter(({ name }) => name?.startsWith('Shop')).map((app) => ({ code, ...app })),
    );
    return [
      refused,
      JSON.stringify(saved, (key, value) => (key === 'createdAt' && value !== THEN ? undefined : value)),
    ];
  };

const observePeople =
  (query: (run: Run) => Parameters<Portal['people']>[0]): Case =>
  async (run) => {
    const { people, total } = await run.portal.people(query(run));
    return [total, people.map(({ email }) => email)];
  };

/** Replays a directory's requests. Returns the steps and the requests that the service receives. */
const observeReplay =
  (inputOf: (run: Run, url: string) => Partial<Parameters<Portal['provision']>[0]>): Case =>
  async (run) => {
    const service = await startReceiver();
    service.answerWith({ status: 201, body: JSON.stringify({ id: '1', totalResults: 0, Resources: [] }) });
    const { steps } = await run.portal.provision({ dialect: 'okta', url: service.url, ...inputOf(run, service.url) });
    await service.close();
    const received = service.received.map(({ headers, body }) => [headers.authorization, body]);
    return [steps.map(({ method, path }) => [method, path]), received, steps[0]?.status];
  };

/** Sets the clock. Returns its mode and year, which don't depend on the test's duration. */
const observeClock =
  (body: (run: Run) => Parameters<Portal['clock']>[0], before?: Parameters<Portal['clock']>[0]): Case =>
  async (run) => {
    if (before) await run.portal.clock(before);
    const { now, mode, tokens } = await run.portal.clock(body(run));
    return [now.slice(0, 4), mode, tokens];
  };

proveOptions('state', {
  'makeApplication org': observeApplication(({ option }) => ({ type: 'ldap', ...option({ org: 'globex' }) })),
  'makeApplication id': observeApplication(({ option }) => ({ type: 'ldap', ...option({ id: 'store' }) })),
  'makeApplication name': observeApplication(({ option }) => ({
    id: 'shop',
    type: 'ldap',
    ...option({ name: 'Shop 2' }),
  })),
  ...each('makeApplication type', ['portal', 'saml', 'ldap', 'radius'], (type) =>
    observeApplication(({ option }) => option({ type })),
  ),
  'makeApplication type: oidc': observeApplication(({ option }) => ({ ldap: {}, ...option({ type: 'oidc' }) })),
  ...Object.fromEntries(
    Object.entries({
      description: 'Sells',
      createdAt: THEN,
      maxCookieLife: 60,
      didEnabled: false,
      webAuthnEnabled: false,
      desktopAppEnabled: false,
      forceAuthnEnabled: true,
      usableBy: { people: [USER] },
      startUrl: 'https://shop.test/',
      logo: { contentType: 'image/png', bytes: 'AAAA' },
      provisioning: { url: 'http://127.0.0.1:9', authentication: 'bearer' as const },
      oidc: { redirectUris: ['https://shop.test/'] },
    }).map(([name, value]) => [
      `makeApplication ${name}`,
      observeApplication(({ option }) => ({ oidc: {}, ...option({ [name]: value }) })),
    ]),
  ),
  'makeApplication saml': observeApplication(({ option }) => option({ saml: { metadata: spMetadata() } })),
  'makeApplication radius': observeApplication(({ option }) => ({
    type: 'radius',
    ...option({ radius: { method: 'push' } }),
  })),
  'makeApplication ldap': observeApplication(({ option }) => option({ ldap: {} })),
  'makePerson org': observePerson(({ option }) => option({ org: 'globex' })),
  'makePerson email': observePerson(({ option }) => option({ email: NEW })),
  'makePerson role': observePerson(({ option }) => option({ role: 'HELPDESK_ADMIN' })),
  ...each('makePerson status', STATUSES, (status) =>
    observePerson(({ option }) => option({ status }, { status: status === 'active' ? 'inactive' : 'active' })),
  ),
  'makePerson manager': observePerson(({ option }) => option({ manager: MANAGER })),
  'makePerson devices.type: mobile': observePerson(({ option }) => ({
    devices: [option({ type: 'mobile' }, { type: 'desktop' })],
  })),
  'makePerson devices.type: desktop': observePerson(({ option }) => ({ devices: [option({ type: 'desktop' })] })),
  'makePerson devices.name': observePerson(({ option }) => ({ devices: [option({ name: 'Old phone' })] })),
  'readPeople org': observePeople(({ option }) => option({ org: 'globex' })),
  'readPeople email': observePeople(({ option }) => option({ email: USER })),
  ...each('readPeople status', STATUSES, (status) => observePeople(({ option }) => option({ status }))),
  'readPeople limit': observePeople(({ option }) => option({ limit: '3' })),
  'makeSession email': async ({ portal, option }) =>
    (await portal.session(option({ email: MANAGER }, { email: USER }))).profile.email,
  'makeSession org': async ({ portal, option }) =>
    portal.session({ email: BOTH, ...option({ org: 'globex' }) }).then(
      ({ orgId }) => orgId,
      ({ resultName }) => resultName,
    ),

  'makeSpace seed': observeSpace(({ option }) => option({ seed: WORLD })),
  'makeSpace seed: demo': observeSpace(({ option }) => option({ seed: 'demo' }, { seed: 'none' })),
  'makeSpace seed: none': observeSpace(({ option }) => option({ seed: 'none' })),
  'makeSpace from': observeSpace(async ({ portal, option }) => {
    await portal.reset({ seed: WORLD });
    const { snapshotId } = await portal.snapshot();
    await portal.reset({ seed: 'demo' });
    return option({ from: snapshotId });
  }),
  'makeSpace name': observeSpace(({ option }) => option({ name: 'worker' })),
  'makeSpace now': observeSpace(({ option }) => option({ now: THEN })),
  'resetLab seed': async ({ portal, option }) => {
    await portal.reset(option({ seed: WORLD }));
    return organisationsIn(portal);
  },
  'resetLab seed: demo': async ({ portal, option }) => {
    await portal.reset(option({ seed: 'demo' }, { seed: WORLD }));
    return organisationsIn(portal);
  },
  'resetLab seed: none': async ({ portal, option }) => {
    await portal.reset(option({ seed: 'none' }));
    return organisationsIn(portal);
  },
  'takeSnapshot name': async ({ portal, option }) => {
    const { snapshotId, drop } = await portal.snapshot(option({ name: 'signed in' }));
    const taken = (await portal.snapshots()).find((one) => one.snapshotId === snapshotId);
    await drop();
    return taken?.name.replace(snapshotId, '').replaceAll(/\d/g, '');
  },
  'virtualDevices orgCode': async ({ portal, option }) =>
    (await portal.devices(option({ orgCode: 'globex' }))).map(({ zid }) => zid),

  'setClock advanceSeconds': observeClock(({ option }) =>
    option({ advanceSeconds: 63_072_000 }, { tokens: 'machine' }),
  ),
  'setClock advance': observeClock(({ option }) => option({ advance: '730d' }, { tokens: 'machine' })),
  'setClock freezeAt': observeClock(({ option }) => option({ freezeAt: THEN }, { tokens: 'machine' })),
  'setClock mode: real': observeClock(({ option }) => option({ mode: 'real' }, { tokens: 'machine' }), {
    freezeAt: THEN,
  }),
  'setClock mode: frozen': observeClock(({ option }) => option({ mode: 'frozen' }, { tokens: 'machine' })),
  ...each('setClock tokens', ['machine', 'lab'], (tokens) => async (run) => {
    await run.portal.clock({ freezeAt: THEN, tokens: tokens === 'lab' ? 'machine' : 'lab' });
    await run.portal.clock({ advanceSeconds: 1, ...run.option({ tokens }) });
    const { idToken = '' } = await run.portal.tokens({ client: 'team-wiki', as: USER });
    const { exp } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
    return new Date(exp * 1_000).getUTCFullYear();
  }),

  ...each('replayProvisioning dialect', PROVISIONING_DIALECTS, (dialect) =>
    observeReplay(({ option }) => option({ dialect }, { dialect: dialect === 'okta' ? 'entra' : 'okta' })),
  ),
  'replayProvisioning url': observeReplay(({ option }) => option({ url: 'http://127.0.0.1:9' })),
  'replayProvisioning token': observeReplay(({ option }) => option({ token: 'secret' })),
  'replayProvisioning username': observeReplay(({ option }) => option({ username: 'okta' })),
  'replayProvisioning password': observeReplay(({ option }) => ({
    username: 'okta',
    ...option({ password: 'secret' }),
  })),
  'replayProvisioning email': observeReplay(({ option }) => option({ email: NEW })),
});
