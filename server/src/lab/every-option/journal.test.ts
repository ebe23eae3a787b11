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

/** One entry of each kind that needs no other program. */
async function all(run: Run): Promise<void> {
  const { portal } = run;
  await portal.policy({ match: { email: USER }, answer: 'deny', reason: 'not-me' });
  await portal.fault({ match: { path: HEALTH }, answer: { delayMs: 1 } });
  await visit(run);
  await signIn(run);
  await portal.clock({ advance: '1s' });
}

/** Reads the journal. Returns the distinct values of a field of its entries. */
const reading =
  (
    field: string,
    query: (run: Run) => Parameters<Portal['journal']>[0] | Promise<Parameters<Portal['journal']>[0]>,
    happen: (run: Run) => Promise<unknown> = all,
  ): Case =>
  async (run) => {
    await happen(run);
    const entries = await run.portal.journal(await query(run));
    return [...new Set(entries.map((entry) => Object(entry)[field]))].sort();
  };
const happening: Record<(typeof KINDS)[number], (run: Run) => Promise<void>> = {
  http: all,
  socket: all,
  challenge: all,
  message: all,
  policy: all,
  exchange: searchDirectory,
  webhook: deliver,
  fault: all,
};

type Control = 'verifyJournal' | 'awaitEntry';

/** Looks for an entry that the option excludes. */
const looking =
  (
    control: Control,
    happen: (run: Run) => Promise<unknown>,
    expectedOf: (run: Run) => Expected | Promise<Expected>,
  ): Case =>
  async (run) => {
    await happen(run);
    const body = await expectedOf(run);
    if (control === 'verifyJournal') return (await run.portal.call(contract.verifyJournal, { body })).count;
    const { entry } = await run.portal.call(contract.awaitEntry, { body: { ...body, wait: 0 } });
    return entry && [entry.kind, Object(entry).direction];
  };

const expectations = (control: Control): Record<string, Case> => ({
  ...each(`${control} kind`, KINDS, (kind) =>
    looking(control, visit, ({ given }) => given({ kind }, kind === 'http' ? { kind: 'fault' } : {})),
  ),
  ...each(`${control} method`, METHODS, (method) =>
    looking(
      control,
      (run) => visit(run, method === 'GET' ? 'POST' : 'GET'),
      ({ given }) => ({ path: HEALTH, ...given({ method }) }),
    ),
  ),
  [`${control} path`]: looking(control, visit, ({ given }) => given({ path: '/api/profile' })),
  [`${control} email`]: looking(control, signIn, ({ given }) => ({
    path: '/api/user/login',
    ...given({ email: MANAGER }),
  })),
  [`${control} org`]: looking(control, signIn, ({ given }) => ({
    path: '/api/user/login',
    ...given({ org: 'globex' }),
  })),
  [`${control} after`]: looking(control, visit, async ({ portal, given }) => ({
    path: HEALTH,
    ...given({ after: (await portal.journal()).at(-1)?.seq ?? 0 }),
  })),
  [`${control} status`]: looking(control, visit, ({ given }) => ({ path: HEALTH, ...given({ status: 503 }) })),
  [`${control} resultName`]: looking(control, visit, ({ given }) => ({
    path: HEALTH,
    ...given({ resultName: 'EXPIRED' }),
  })),
  ...each(`${control} direction`, DIRECTIONS, (direction) =>
    looking(control, direction === 'opened' ? refuseSocket : signIn, ({ given }) => ({
      kind: 'socket',
      ...given({ direction }),
    })),
  ),
  [`${control} event`]: looking(control, deliver, ({ given }) => ({
    kind: 'webhook',
    ...given({ event: 'member.unpaused' }),
  })),
  ...each(`${control} protocol`, ['radius', 'ldap'], (protocol) =>
    looking(control, protocol === 'radius' ? searchDirectory : connectToVpn, ({ given }) => ({
      kind: 'exchange',
      ...given({ protocol }),
    })),
  ),
  [`${control} outcome`]: looking(control, searchDirectory, ({ given }) => ({
    kind: 'exchange',
    ...given({ outcome: 'success' }),
  })),
  [`${control} application`]: looking(control, searchDirectory, ({ given }) => ({
    kind: 'exchange',
    ...given({ application: 'directory' }),
  })),
  [`${control} body`]: looking(control, signIn, ({ given }) => ({
    path: '/api/user/login',
    ...given({ body: { mode: 'DID' } }),
  })),
});

/** Visits a path once. Returns whether that is as often as expected. */
const counting =
  (counts: (run: Run) => Expected): Case =>
  async (run) => {
    await visit(run);
    return (await run.portal.call(contract.verifyJournal, { body: { path: HEALTH, ...counts(run) } })).ok;
  };

proveOptions(
  'journal',
  {
    'readJournal after': async (run) => {
      await all(run);
      const { seq = 0 } = (await run.portal.journal()).at(2) ?? {};
      const [first] = await run.portal.journal(run.given({ after: String(seq) }));
      return (first?.seq ?? 0) > seq;
    },
    ...each('readJournal kind', KINDS, (kind) => reading('kind', ({ given }) => given({ kind }), happening[kind])),
    'readJournal path': reading('path', ({ given }) => given({ path: HEALTH })),
    'readJournal email': reading('email', ({ given }) => given({ email: USER })),
    'readJournal org': reading('org', ({ given }) => given({ org: 'globex' })),
    'readJournal limit': async (run) => {
      await all(run);
      return (await run.portal.journal(run.given({ limit: '2' }))).length > 2;
    },
    ...expectations('verifyJournal'),
    'verifyJournal count': counting(({ given }) => given({ count: 2 })),
    'verifyJournal atLeast': counting(({ given }) => given({ atLeast: 2 })),
    'verifyJournal atMost': counting(({ given }) => ({ atLeast: 0, ...given({ atMost: 0 }, { atMost: 1 }) })),
    ...expectations('awaitEntry'),
    'awaitEntry wait': async (run) => {
      const found = run.portal.call(contract.awaitEntry, { body: { path: HEALTH, ...run.given({ wait: 0 }) } });
      await run.portal.clock();
      await visit(run);
      return (await found).entry === null;
    },
  },
  { LDAP_PORT: '0', RADIUS_PORT: '0' },
);
