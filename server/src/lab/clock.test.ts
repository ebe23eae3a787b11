import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  codeOf,
  login,
  loginLive,
  readJournal,
  readOutbox,
  regenerateActivationCode,
  setClock,
  signup,
  verifySignup,
} from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { portalTime } from '#platform/times.ts';
import { activateFrom } from '#testing/device.ts';
import { withoutTimers } from '#testing/helpers.ts';
import { TEST_NOW, testPortal } from '#testing/test-portal.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Returns for each path whether lint rejects this line of code there. */
function isRefusedAt(line: string, paths: readonly string[]): boolean[] {
  const project = mkdtempSync(join(tmpdir(), 'clock-lint-'));
  for (const path of ['biome.json', '.gitignore', 'scripts/lint']) {
    cpSync(join(ROOT, path), join(project, path), { recursive: true });
  }
  for (const path of paths) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), line);
  }
  const args = [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--reporter=json', 'server'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  rmSync(project, { recursive: true });
  const { diagnostics }: { diagnostics: { message: string; location: { path: string } }[] } = JSON.parse(stdout);
  return paths.map((path) =>
    diagnostics.some(({ message, location }) => location.path === path && message.includes('house rule 10')),
  );
}

/** Lets an activation code expire, along with everything else that is due by then. */
async function expireAnActivation(): Promise<void> {
  const portal = await testPortal();
  const { token } = await portal.signIn('super.admin@acme.test');
  const newcomer = { email: 'mara.lindholm@acme.test', primaryAttr: 'E-11020' };
  const body = { ...newcomer, type: 'mobile' as const, sendEmail: false };
  const { activationCode } = (await portal.call(regenerateActivationCode, { body }, { token })).body;
  await withoutTimers(async () => {
    await portal.call(setClock, { body: { freezeAt: new Date(TEST_NOW).toISOString() } });
    // Sign up, because the activation code after a sign-up lasts only ten minutes. A device's activation code lasts a
    // day.
    const email = 'ines.castellanos@acme.test';
    await portal.call(signup, { body: { orgCode: 'acme', firstName: 'Ines', lastName: 'C', email } });
    const [mail] = (await portal.call(readOutbox, { query: { to: email, wait: 5 } })).body.messages;

    const fired: string[] = [];
    for (const [name, seconds] of [
      ['last', 600],
      ['first', 60],
      ['middle', 300],
      ['later', 602],
    ] as const) {
      portal.clock.at(portalTime(TEST_NOW + seconds * 1_000), () => fired.push(`${name} at ${portal.clock.iso()}`));
    }
    const { loginId = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
    const channel = await portal.open(loginLive, { loginId });
    await channel.next();

    await portal.call(setClock, { body: { advance: '10m 1s' } });
    expect(fired.map((one) => one.split(' ')[0])).toEqual(['first', 'middle', 'last']);
    // The journal lists messages in the order in which the portal sent them.
    const { entries } = (await portal.call(readJournal, { query: { limit: 500 } })).body;
    const expiredAt = entries.findIndex((one) => one.kind === 'socket' && one.summary.endsWith('sent expired'));
    const answered = entries.findLastIndex((one) => one.kind === 'http' && one.path === '/api/lab/clock');
    expect(expiredAt).toBeGreaterThan(-1);
    expect(answered).toBeGreaterThan(expiredAt);
    expect(await channel.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
    const verified = await portal.call(verifySignup, { body: { orgCode: 'acme', email, otp: mail?.code ?? '' } });
    expect(verified.body.resultName).toBe('OTP_EXPIRED');
  });

  await portal.call(setClock, { body: { advance: '24h 1s' } });
  const late = await activateFrom(portal, '127.0.0.1', { email: 'mara.lindholm@acme.test', activationCode });
  expect(late.body.resultName).toBe('EXPIRED');
  await portal.close();
}

test('acceptance 5: advancing the clock fires everything due, in order and without waiting', expireAnActivation);

test('acceptance 5: lint forbids `Date.now()` outside the clock module', () => {
  const paths = ['server/src/lab/now.ts', 'server/src/platform/adapters/clock.ts'];
  expect(isRefusedAt('export const now = Date.now();\n', paths)).toEqual([true, false]);
});
