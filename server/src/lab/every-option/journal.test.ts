import { contract, loginLive } from '@orchestrate/shared';
import { Client } from 'ldapts';
import { radiusClient } from '#testing/radius-client.ts';
import { startReceiver } from '#testing/receiver.ts';
import type { Portal } from '../../testing-api/portal.ts';
import { ADMIN, type Case, each, MANAGER, proveOptions, type Run, USER } from './options-testing.ts';

type Expected = Parameters<Portal['verify']>[0] & { kind?: string };

const KINDS = ['http', 'socket', 'challenge', 'message', 'policy', 'exchange', 'webhook', 'fault'] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const DIRECTIONS = ['opened', 'sent', 'received', 'closed', 'refused'] as const;
const HEALTH = '/api/health';
const PARAMS = { orgCode: 'acme' };

const visit = async ({ portal }: Run, method = 'GET') => void (await fetch(portal.url + HEALTH, { method }));

/** Starts a sign-in of the user, whose state a browser follows on a socket. */
async function signIn({ portal }: Run): Promise<void> {
  const body = { orgCode: 'acme', mode: 'PUSH' as const, primaryAttr: USER };
  const { loginId = '' } = await portal.call(contract.login, { body });
  const live = await portal.open(loginLive, { loginId });
  await live.next();
  live.close();
  await portal.waitFor({ kind: 'socket', direction: 'closed' });
}
const refuseSocket = ({ portal }: Run) => portal.open(loginLive, { loginId: 'unknown' }).catch(() => undefined);

const asAdmin = async ({ portal }: Run) => ({ token: (await portal.session({ email: ADMIN })).token });

async function searchDirectory(run: Run): Promise<void> {
  const body = { ...PARAMS, integrationType: 'ldap' as const, name: 'Directory' };
  const { app } = await run.portal.call(contract.createApp, { params: PARAMS, body }, await asAdmin(run));
  const client = new Client({ url: `ldap://127.0.0.1:${app.ldapConfiguration?.port}` });
  await client.bind('cn=unknown', 'hush').catch(() => undefined);
  await client.unbind();
}

async function connectToVpn(run: Run): Promise<void> {
  const radiusConfiguration = { method: 'push' as const };
  const body = { ...PARAMS, integrationType: 'radius' as const, name: 'VPN', radiusConfiguration };
  const { app } = await run.portal.call(contract.createApp, { params: PARAMS, body }, await asAdmin(run));
  const { port, secret } = app.radiusConfiguration ?? {};
  await using client = await radiusClient(port ?? 0);
  await client.ask({ secret: secret ?? '', name: 'unknown', password: 'hush' });
}

async function deliver(run: Run): Promise<void> {
  const { portal } = run;
  const hook = await startReceiver();
  const admin = await asAdmin(run);
  await portal.call(contract.createWebhook, { body: { url: hook.url, events: ['member.paused'] } }, admin);
  const { suid } = await portal.person({ org: 'acme' });
  await portal.call(contract.manageUser, { body: { suid, action: 'pause' } }, admin);
  await portal.settled();
  await hook.close();
}

/** Creates an entry of each kind that doesn't require another program. */
async function triggerAll(run: Run): Promise<void> {
  const { portal } = run;
  await portal.policy({ match: { email: USER }, answer: 'deny', reason: 'not-me' });
  await portal.fault({ match: { path: HEALTH }, answer: { delayMs: 1 } });
  await visit(run);
  await signIn(run);
  await portal.clock({ advance: '1s' });
}

/** Reads the journal. Returns the distinct values of a field of its entries. */
const observeEntries =
  (
    field: string,
    query: (run: Run) => Parameters<Portal['journal']>[0] | Promise<Parameters<Portal['journal']>[0]>,
    trigger: (run: Run) => Promise<unknown> = triggerAll,
  ): Case =>
  async (run) => {
    await trigger(run);
    const entries = await run.portal.journal(await query(run));
    return [...new Set(entries.map((entry) => Object(entry)[field]))].sort();
  };
const TRIGGERS: Record<(typeof KINDS)[number], (run: Run) => Promise<void>> = {
  http: triggerAll,
  socket: triggerAll,
  challenge: triggerAll,
  message: triggerAll,
  policy: triggerAll,
  exchange: searchDirectory,
  webhook: deliver,
  fault: triggerAll,
};

type Control = 'verifyJournal' | 'awaitEntry';

/** Searches for an entry that the option excludes. Returns the number of matches, or the match. */
const observeMatch =
  (
    control: Control,
    trigger: (run: Run) => Promise<unknown>,
    expectedOf: (run: Run) => Expected | Promise<Expected>,
  ): Case =>
  async (run) => {
    await trigger(run);
    const body = await expectedOf(run);
    if (control === 'verifyJournal') return (await run.portal.call(contract.verifyJournal, { body })).count;
    const { entry } = await run.portal.call(contract.awaitEntry, { body: { ...body, wait: 0 } });
    return entry && [entry.kind, Object(entry).direction];
  };

const expectations = (control: Control): Record<string, Case> => ({
  ...each(`${control} kind`, KINDS, (kind) =>
    observeMatch(control, visit, ({ option }) => option({ kind }, kind === 'http' ? { kind: 'fault' } : {})),
  ),
  ...each(`${control} method`, METHODS, (method) =>
    observeMatch(
      control,
      (run) => visit(run, method === 'GET' ? 'POST' : 'GET'),
      ({ option }) => ({ path: HEALTH, ...option({ method }) }),
    ),
  ),
  [`${control} path`]: observeMatch(control, visit, ({ option }) => option({ path: '/api/profile' })),
  [`${control} email`]: observeMatch(control, signIn, ({ option }) => ({
    path: '/api/user/login',
    ...option({ email: MANAGER }),
  })),
  [`${control} org`]: observeMatch(control, signIn, ({ option }) => ({
    path: '/api/user/login',
    ...option({ org: 'globex' }),
  })),
  [`${control} after`]: observeMatch(control, visit, async ({ portal, option }) => ({
    path: HEALTH,
    ...option({ after: (await portal.journal()).at(-1)?.seq ?? 0 }),
  })),
  [`${control} status`]: observeMatch(control, visit, ({ option }) => ({ path: HEALTH, ...option({ status: 503 }) })),
  [`${control} resultName`]: observeMatch(control, visit, ({ option }) => ({
    path: HEALTH,
    ...option({ resultName: 'EXPIRED' }),
  })),
  ...each(`${control} direction`, DIRECTIONS, (direction) =>
    observeMatch(control, direction === 'opened' ? refuseSocket : signIn, ({ option }) => ({
      kind: 'socket',
      ...option({ direction }),
    })),
  ),
  [`${control} event`]: observeMatch(control, deliver, ({ option }) => ({
    kind: 'webhook',
    ...option({ event: 'member.unpaused' }),
  })),
  ...each(`${control} protocol`, ['radius', 'ldap'], (protocol) =>
    observeMatch(control, protocol === 'radius' ? searchDirectory : connectToVpn, ({ option }) => ({
      kind: 'exchange',
      ...option({ protocol }),
    })),
  ),
  [`${control} outcome`]: observeMatch(control, searchDirectory, ({ option }) => ({
    kind: 'exchange',
    ...option({ outcome: 'success' }),
  })),
  [`${control} application`]: observeMatch(control, searchDirectory, ({ option }) => ({
    kind: 'exchange',
    ...option({ application: 'directory' }),
  })),
  [`${control} body`]: observeMatch(control, signIn, ({ option }) => ({
    path: '/api/user/login',
    ...option({ body: { mode: 'DID' } }),
  })),
});

/** Visits a path once. Returns whether the count is as expected. */
const observeCount =
  (counts: (run: Run) => Expected): Case =>
  async (run) => {
    await visit(run);
    return (await run.portal.call(contract.verifyJournal, { body: { path: HEALTH, ...counts(run) } })).ok;
  };

proveOptions(
  'journal',
  {
    'readJournal after': async (run) => {
      await triggerAll(run);
      const { seq = 0 } = (await run.portal.journal()).at(2) ?? {};
      const [first] = await run.portal.journal(run.option({ after: String(seq) }));
      return (first?.seq ?? 0) > seq;
    },
    ...each('readJournal kind', KINDS, (kind) =>
      observeEntries('kind', ({ option }) => option({ kind }), TRIGGERS[kind]),
    ),
    'readJournal path': observeEntries('path', ({ option }) => option({ path: HEALTH })),
    'readJournal email': observeEntries('email', ({ option }) => option({ email: USER })),
    'readJournal org': observeEntries('org', ({ option }) => option({ org: 'globex' })),
    'readJournal limit': async (run) => {
      await triggerAll(run);
      return (await run.portal.journal(run.option({ limit: '2' }))).length > 2;
    },
    ...expectations('verifyJournal'),
    'verifyJournal count': observeCount(({ option }) => option({ count: 2 })),
    'verifyJournal atLeast': observeCount(({ option }) => option({ atLeast: 2 })),
    'verifyJournal atMost': observeCount(({ option }) => ({ atLeast: 0, ...option({ atMost: 0 }, { atMost: 1 }) })),
    ...expectations('awaitEntry'),
    'awaitEntry wait': async (run) => {
      const found = run.portal.call(contract.awaitEntry, { body: { path: HEALTH, ...run.option({ wait: 0 }) } });
      // A call that doesn't wait must return before the visit. Otherwise the visit may overtake it.
      if (run.isOn) await found;
      await visit(run);
      return (await found).entry === null;
    },
  },
  { LDAP_PORT: '0', RADIUS_PORT: '0' },
);
