import { contract } from '@orchestrate/shared';
import { expect, test } from '../playwright.ts';

const WORKERS = 8;
const newcomer = { orgCode: 'acme', firstName: 'New', lastName: 'Comer' };

/** State that neighbouring tests would see if they shared a portal. */
const kinds: Record<string, (who: string) => void> = {
  clock: (who) =>
    test(who, async ({ portal }) => {
      expect((await portal.clock()).mode).toBe('real');
      await portal.clock({ freezeAt: '2030-01-01T00:00:00Z' });
      expect((await portal.clock()).now).toBe('2030-01-01T00:00:00.000Z');
    }),
  faults: (who) =>
    test(who, async ({ portal }) => {
      await portal.fault({ match: { path: '/api/health' }, answer: { status: 503 }, times: 2 });
      await expect(portal.call(contract.health, {})).rejects.toMatchObject({ status: 503 });
      expect(await portal.faults()).toMatchObject({ faults: [{ times: 1 }], fired: [{ path: '/api/health' }] });
    }),
  users: (who) =>
    test(who, async ({ portal, person, phone }) => {
      await phone.approves();
      const { loginId } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
      await expect
        .poll(async () => (await portal.call(contract.loginState, { params: { loginId } })).state)
        .toBe('success');
      expect((await portal.session({ email: person.email })).profile.email).toBe(person.email);
    }),
  outbox: (who) =>
    test(who, async ({ portal, outbox }) => {
      const { last } = await portal.call(contract.readJournal, { query: { limit: '1' } });
      const email = `${who.replaceAll(' ', '-')}@acme.test`;
      await portal.call(contract.signup, { body: { ...newcomer, email } });
      expect(await outbox({ to: email, wait: 5 })).toHaveLength(1);
      const mails = await portal.journal({ after: last, kind: 'message' });
      expect(mails.map((mail) => mail.kind === 'message' && mail.to)).toEqual([email]);
    }),
  journal: (who) =>
    test(who, async ({ portal }) => {
      await portal.call(contract.health, {});
      await portal.verify({ path: '/api/health', count: 1 });
      const called = (await portal.journal()).map(({ summary }) => summary.split(' ')[1] ?? '');
      expect(called.filter((path) => path !== '/api/health' && !path.startsWith('/api/lab/'))).toEqual([]);
    }),
};

for (let worker = 1; worker <= WORKERS; worker += 1) {
  // Run serially, which keeps dependent tests in the same worker.
  test.describe(() => {
    test.describe.configure({ mode: 'serial' });
    for (const [name, kind] of Object.entries(kinds)) kind(`worker ${worker} ${name}`);
  });
}
