import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, seedDatabase } from '@orchestrate/db';
import { runRecovery } from '@orchestrate/server/recover';
import { approveQr, beginQr, startTestPortal, type TestPortal } from '@orchestrate/server/testing';
import { deleteDevice, getUser, listActivity, login, regenerateActivationCode } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ADMIN = 'admin@globex.test';
const PHONE = { name: 'Next phone', type: 'mobile' as const, platform: 'Android 16' };

let folder: string;
let file: string;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recover-'));
  file = join(folder, 'portal.db');
  now = Date.now();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function inPortal(use: (portal: TestPortal) => Promise<void>): Promise<void> {
  const database = openDatabase({ file });
  seedDatabase(database.db, 'demo', now);
  const portal = await startTestPortal({ database, now });
  try {
    await use(portal);
  } finally {
    await portal.close();
  }
}

function recover(...more: string[]) {
  const written = { stdout: '', stderr: '' };
  const surface = {
    env: { DATABASE_FILE: file },
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
  };
  return { exit: runRecovery(['--org', 'globex', '--email', ADMIN, ...more], surface), ...written };
}

async function reportAllLost(portal: TestPortal): Promise<void> {
  const { token, profile } = await portal.signIn(ADMIN);
  const { suid, zid: own } = profile;
  const { devices } = (await portal.call(getUser, { query: {} }, { token })).body;
  // The session's own device comes last because reporting it lost ends the session.
  for (const zid of [...devices.map((device) => device.zid).filter((one) => one !== own), own]) {
    await portal.call(deleteDevice, { body: { zid, suid, action: 'LOST_DEVICE' } }, { token });
  }
}

test('restores access for the last Super Admin after they report their only device lost', async () => {
  await inPortal(reportAllLost);
  const { exit, stdout } = recover('--json');
  expect(exit).toBe(0);
  const { activationCode } = JSON.parse(stdout);
  await inPortal(async (portal) => {
    const activation = { orgCode: 'globex', email: ADMIN, activationCode, device: PHONE };
    const { device, confirmation } = await portal.authenticator.activate(activation);
    expect(confirmation).toBeUndefined();
    await expect(portal.authenticator.activate(activation)).rejects.toThrow();
    const started = await beginQr(portal, 'globex');
    const exchangeToken = await approveQr(portal, device, started);
    const { token } = (await portal.call(login, { body: { loginId: started.loginId, exchangeToken } })).body;
    const { Items: events } = (
      await portal.call(listActivity, { query: { action: 'activation-code.issued' } }, { token })
    ).body;
    expect(events[0]?.actor).toMatchObject({ kind: 'system' });
  });
});

test('removes newly added devices before issuing the code if no other device is left', async () => {
  const thief = { name: 'Burner', type: 'desktop' as const, platform: 'Linux' };
  await inPortal(async (portal) => {
    const { token, profile } = await portal.signIn(ADMIN);
    const body = { email: ADMIN, primaryAttr: profile.primaryAttr, type: 'desktop' as const };
    const { activationCode } = (await portal.call(regenerateActivationCode, { body }, { token })).body;
    await reportAllLost(portal);
    await portal.authenticator.activate({ orgCode: 'globex', email: ADMIN, activationCode, device: thief });
  });
  const { exit, stdout } = recover('--json');
  expect(exit).toBe(0);
  await inPortal(async (portal) => {
    const { activationCode } = JSON.parse(stdout);
    const activation = { orgCode: 'globex', email: ADMIN, activationCode, device: PHONE };
    const { device } = await portal.authenticator.activate(activation);
    const started = await beginQr(portal, 'globex');
    const exchangeToken = await approveQr(portal, device, started);
    const { token } = (await portal.call(login, { body: { loginId: started.loginId, exchangeToken } })).body;
    const { devices } = (await portal.call(getUser, { query: {} }, { token })).body;
    expect(devices.map(({ name, approvesFrom }) => ({ name, approvesFrom }))).toEqual([
      { name: PHONE.name, approvesFrom: undefined },
    ]);
    const { Items: events } = (await portal.call(listActivity, { query: { action: 'device.deleted' } }, { token }))
      .body;
    expect(events[0]).toMatchObject({ actor: { kind: 'system' }, object: { name: thief.name } });
  });
});

test('expires the recovery code after 24 hours', async () => {
  await inPortal(reportAllLost);
  const { activationCode } = JSON.parse(recover('--json').stdout);
  now += 25 * 3_600_000;
  await inPortal(async (portal) => {
    const activation = { orgCode: 'globex', email: ADMIN, activationCode, device: PHONE };
    await expect(portal.authenticator.activate(activation)).rejects.toThrow();
  });
});

test('refuses recovery while the portal is running or if the Super Admin has a device', async () => {
  await inPortal(async () => {
    expect(recover()).toMatchObject({ exit: 1, stdout: '' });
  });
  expect(recover()).toMatchObject({ exit: 1, stderr: expect.stringContaining('still has a device') });
  expect(recover('--org', 'globe').stderr).toContain('Did you mean globex?');
  expect(recover('--email', 'nobody@globex.test').stderr).toContain("isn't an active Super Admin");
});
