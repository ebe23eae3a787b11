import { manageUser, readOutbox } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemActor } from '#platform/http/callers/actors.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { alertAdministrators } from './alert-administrators.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const alert = (type: 'fraud' | 'attack' = 'fraud', isOngoing?: true) =>
  portal.deps.db.transaction((tx) =>
    alertAdministrators(portal.deps, tx, systemActor('acme'), {
      ...(type === 'fraud'
        ? { action: 'fraud.reported', object: { type, id: 'x', name: 'X' } }
        : { action: 'attack.activation-guessing', object: { type, id: 'x', name: 'X' } }),
      ...(isOngoing && { isOngoing }),
      texts: {
        en: {
          subject: 'somebody guesses',
          what: 'More codes than usual are wrong.',
          details: [['Address', '203.0.113.7']],
          advice: 'Look at it.',
        },
        de: {
          subject: 'Jemand rät',
          what: 'Mehr Codes als üblich sind falsch.',
          details: [['Adresse', '203.0.113.7']],
          advice: 'Sehen Sie nach.',
        },
      },
    }),
  );
const mailsTo = async (to: string) =>
  (await portal.call(readOutbox, { query: { to } })).body.messages.filter(({ subject }) =>
    subject.startsWith('Security: '),
  );

test('emails only members of the organisation who can change its security settings', async () => {
  expect(alert()).toBe(true);
  for (const admin of ['super.admin@acme.test', 'security.admin@acme.test']) {
    const [mail] = await mailsTo(admin);
    expect(mail?.subject).toBe('Security: somebody guesses');
    for (const part of ['Address: 203.0.113.7', 'Time: 02 Mar 2026, 09:30 UTC', 'Look at it.']) {
      expect(mail?.text).toContain(part);
    }
  }
  for (const other of ['helpdesk.admin@acme.test', 'user@acme.test', 'admin@globex.test']) {
    expect(await mailsTo(other)).toEqual([]);
  }
});

test('does not email a disabled administrator', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid } = memberByEmail(portal, 'acme', 'security.admin@acme.test');
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  alert();
  expect(await mailsTo('security.admin@acme.test')).toEqual([]);
});

test('records one audit event per alert, or one per email if the attack is ongoing', () => {
  const count = () => portal.deps.db.$client.prepare('SELECT count(*) FROM audit_events').pluck().get();
  alert();
  alert();
  expect(count()).toBe(2);
  alert('attack', true);
  alert('attack', true);
  expect(count()).toBe(3);
});

test('emails a different alert within the hour, but does not repeat the same alert', async () => {
  expect([alert(), alert(), alert('attack')]).toEqual([true, false, true]);
  portal.clock.advance(3_599);
  expect(alert()).toBe(false);
  portal.clock.advance(1);
  expect(alert()).toBe(true);
  expect(await mailsTo('super.admin@acme.test')).toHaveLength(3);
});
