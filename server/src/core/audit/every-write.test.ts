import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resetDatabase } from '@orchestrate/db';
import { AUDIT_ACTIONS, type AuditEvent, type EndpointDefinition, listActivity } from '@orchestrate/shared';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { foreignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { BOSS, type Write } from '#testing/driving/driver.ts';
import { writesOf } from '#testing/driving/writes.ts';
import { watchSecrets } from '#testing/secrets.ts';
import { TEST_NOW, testPortal } from '#testing/test-portal.ts';
import { startSession } from '../sign-in/sessions.ts';

// Set up here instead of in a hook, because the test names come from the portal's endpoints.
const secrets = watchSecrets();
const portal = await testPortal();
// Silences the warning, logged by the provider library on every start, that this setup is not for production.
vi.spyOn(console, 'warn').mockReturnValue(undefined);
const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
const writes = writesOf(portal, foreign);
afterAll(async () => {
  secrets.stop();
  await foreign.close();
  await portal.close();
});
beforeEach(() => {
  resetDatabase(portal.deps.db, 'demo', TEST_NOW);
  portal.clock.freeze(TEST_NOW);
});

/** First recorded event of each type. */
const seen = new Map<string, AuditEvent>();
const isLab = (action: string) => action.startsWith('lab.');
const nameOf = ({ of }: Write) => (typeof of === 'string' ? of : `${of.method} ${of.path}`);
const entriesOf = (wanted: (entry: EndpointDefinition) => boolean) => portal.deps.registered.endpoints.filter(wanted);
const leftBy = (entry: EndpointDefinition) => writes.filter(({ of }) => of === entry).flatMap(({ leaves }) => leaves);
const pathOf = ({ method, path }: EndpointDefinition) => `${method} ${path}`;

/** Returns Acme's audit trail as its Super Admin sees it, oldest first. */
async function trail(): Promise<AuditEvent[]> {
  const { orgCode, suid, zid } = portal.device(BOSS);
  const { token } = startSession(portal.deps, { orgCode, suid, zid });
  const { body } = await portal.call(listActivity, { query: { pageSize: 100 } }, { token });
  return body.Items.toReversed();
}

// covers: security 16.2.1
test('covers every declared event and every action with a write in this test', () => {
  const missing = entriesOf(({ events = [] }) => events.length > 0).flatMap((entry) =>
    (entry.events ?? [])
      .filter((action) => !leftBy(entry).includes(action))
      .map((action) => `${pathOf(entry)}: ${action}`),
  );
  expect(missing).toEqual([]);
  const driven = new Set(writes.flatMap(({ leaves }) => leaves));
  // The portal records these automatically when they are due. See audit.test.ts, webhooks.test.ts and
  // app-provisioning.test.ts.
  const byItself: readonly string[] = ['activity.forgotten', 'webhook.disabled', 'app-provisioning.stopped'];
  expect(AUDIT_ACTIONS.filter((action) => !driven.has(action) && !byItself.includes(action))).toEqual([]);
});

// covers: spec 3.1.1
test('covers every write by signed-in users and by the lab', () => {
  const who: readonly string[] = ['signed-in', 'permission', 'member', 'lab'];
  const undriven = entriesOf(({ method, access }) => method !== 'GET' && who.includes(access.who)).filter(
    (entry) => !writes.some(({ of }) => of === entry),
  );
  expect(undriven.map(pathOf)).toEqual([]);
});

/**
 * States that an event must include, by its action's verb: `after` for created objects, `before` for deleted objects,
 * otherwise both.
 */
const REQUIRED_STATES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['created', 'added', 'invited', 'registered', 'activated', 'issued', 'mailed', 'linked', 'signed-up'], ['after']],
  [
    ['secret-added', 'secret-rotated', 'upload-began', 'disowned', 'clock-set', 'fault-added', 'reset', 'renewed'],
    ['after'],
  ],
  [
    ['updated', 'renamed', 'paused', 'unpaused', 'changed', 'verified', 'lost'],
    ['after', 'before'],
  ],
  [['unlinked', 'forgotten', 'secret-deleted'], ['before']],
];
const requiredStates = (action: string) => {
  const [object = '', verb = ''] = action.split('.');
  // Deleted members and devices remain in the database, marked as deleted, so both states are recorded.
  if (verb === 'deleted') return object === 'member' || object === 'device' ? ['after', 'before'] : ['before'];
  if (action === 'member.activated') return ['after', 'before'];
  return REQUIRED_STATES.find(([verbs]) => verbs.includes(verb))?.[1];
};

test.each(writes.map((write) => [`${nameOf(write)} leaves ${write.leaves.join(', ') || 'no event'}`, write] as const))(
  '%s',
  async (_name, { by, leaves, prepare }) => {
    const perform = await prepare();
    const last = Number((await trail()).at(-1)?.id ?? 0);
    await perform();
    // A reset or restore replaces the trail with its initial or snapshotted state, so don't skip the earlier events.
    const isBack = leaves.includes('lab.reset') || leaves.includes('lab.snapshot-restored');
    const events = (await trail()).filter(({ id }) => isBack || Number(id) > last);
    expect(events.map(({ action }) => action)).toEqual(leaves);
    for (const event of events) if (!seen.has(event.action)) seen.set(event.action, event);
    for (const { action, at, actor, object, suid, changes } of events) {
      expect(at).toBe(portal.clock.iso());
      expect(actor).toMatchObject({ kind: by, ip: expect.stringMatching(/^[\d.]+$/) });
      if (by !== 'visitor') expect(actor.name).not.toBe('');
      if (by === 'member') expect(actor).toMatchObject({ suid: expect.any(String), mode: 'QID' });
      expect(object).toEqual({
        type: action.slice(0, action.indexOf('.')),
        id: expect.stringMatching(/./),
        name: expect.stringMatching(/./),
      });
      if (object.type === 'member') expect(suid).toBe(object.id);
      const states = [...new Set(changes.flatMap(({ field: _, ...values }) => Object.keys(values)))];
      const wanted = requiredStates(action);
      if (wanted) expect([action, states.toSorted()]).toEqual([action, wanted]);
    }
    expect(secrets.in(JSON.stringify(events))).toEqual([]);
  },
  60_000,
);

/** Events of each type in webhook samples, recorded by the tests above. */
const RECORDED_EVENTS = join(import.meta.dirname, '../../protocols/webhook-delivery/recorded-events.json');

/** Keeps values that are the same in every run and drops generated ones, such as IDs and times. */
const isStable = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isStable)
    : typeof value !== 'string' || /^\(changed\)$|^[^\d]{0,19}$|^[^\d]*[ @][^\d]*$/.test(value);

test('webhook samples have the fields of real events (run pnpm generate)', async () => {
  const known = Object.fromEntries(
    AUDIT_ACTIONS.flatMap((action) => {
      const event = seen.get(action);
      if (!event) return [];
      const changes = event.changes.map((change) =>
        Object.fromEntries(
          Object.entries(change).map(([name, value]) => [
            name,
            name === 'field' || (isStable(value) && !isLab(action)) ? value : '…',
          ]),
        ),
      );
      return [[action, { actor: event.actor.kind, hasMember: event.suid !== null, changes }]];
    }),
  );
  if (process.env.RECORD) writeFileSync(RECORDED_EVENTS, `${JSON.stringify(known, null, 2)}\n`);
  expect(JSON.parse(readFileSync(RECORDED_EVENTS, 'utf8'))).toEqual(known);
});

test('collects the secrets used in a run and finds them in a log', () => {
  expect(secrets.seen.size).toBeGreaterThan(100);
  const [one = ''] = secrets.seen;
  expect(secrets.in(`before ${one} after`)).toEqual([one]);
});
