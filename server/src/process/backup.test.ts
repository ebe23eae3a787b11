import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@orchestrate/db';
import { expect, test } from 'vitest';
import { phoneOf, providePortalProcesses } from '#testing/portal-process.ts';
import type { Portal } from '#testing-api/portal.ts';

const ADMIN = 'super.admin@acme.test';

const portals = providePortalProcesses('backup-');
const backup = (args: readonly string[], env?: NodeJS.ProcessEnv) => portals.orchestrate(['backup', ...args], env);
const copyPath = () => join(portals.folder, 'copy.db');
/** Returns the names of all files that belong to the copy. */
const copyFiles = () =>
  readdirSync(portals.folder)
    .filter((name) => name.startsWith('copy.db'))
    .sort();

const secretsOf = async (portal: Portal) => JSON.stringify((await portal.world()).organisations);

const emailsOf = async (portal: Portal) =>
  ((await portal.world()).organisations ?? []).flatMap(({ people = [] }) => people.map(({ email }) => email));

test('backs up a portal during sign-ins and starts on the copy with everything confirmed before', async () => {
  const { portal, end } = await portals.start();
  const confirmed: string[] = [];
  let isLoaded = true;
  const load = Array.from({ length: 4 }, async (_, client) => {
    for (let at = 0; isLoaded; at += 1) {
      const { email } = await portal.person({ org: 'acme', email: `${client}.${at}@acme.test` });
      confirmed.push(email);
      await portal.session({ email });
    }
  });
  await expect.poll(() => confirmed.length, { timeout: 30_000 }).toBeGreaterThan(20);
  const before = [...confirmed];
  const done = await backup(['--json', copyPath()]);
  isLoaded = false;
  await Promise.all(load);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toEqual({
    event: 'backed-up',
    file: copyPath(),
    bytes: statSync(copyPath()).size,
    keyFile: `${copyPath()}.key`,
  });
  expect(copyFiles()).toEqual(['copy.db', 'copy.db.key']);
  for (const name of copyFiles()) expect(statSync(join(portals.folder, name)).mode & 0o777).toBe(0o600);

  const phone = await phoneOf(portal, ADMIN);
  await end();
  const restored = await portals.start({ DATABASE_FILE: copyPath() });
  expect(await emailsOf(restored.portal)).toEqual(expect.arrayContaining(before));
  expect(await phoneOf(restored.portal, ADMIN)).toEqual(phone);
});

test('backs up a stopped portal, and a killed one without changing its files', async () => {
  const first = await portals.start();
  const secrets = await secretsOf(first.portal);
  await first.end('SIGKILL');
  const log = statSync(`${portals.file}-wal`);
  expect(await backup([copyPath()])).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(`${portals.file}-wal`)).toMatchObject({ size: log.size, mtimeMs: log.mtimeMs });

  const copy = await portals.start({ DATABASE_FILE: copyPath() });
  expect(await secretsOf(copy.portal)).toBe(secrets);
  await copy.end();
  // The killed portal left its socket.
  expect(existsSync(`${portals.file}.sock`)).toBe(true);
  const again = await portals.start();
  expect((await backup([join(portals.folder, 'second.db')])).code).toBe(0);
  await again.end();
  expect(existsSync(`${portals.file}.sock`)).toBe(false);
  expect((await backup([join(portals.folder, 'third.db')])).code).toBe(0);
  expect(
    readdirSync(portals.folder)
      .filter((name) => name.startsWith('portal.db'))
      .sort(),
  ).toEqual(['portal.db', 'portal.db.key']);
});

test('copies no key with --without-key or SECRETS_KEY, and says what the copy requires', {
  tags: 'whole',
}, async () => {
  await portals.start();
  const kept = await backup(['--without-key', copyPath()]);
  expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('Keep the original') });
  expect(copyFiles()).toEqual(['copy.db']);
  expect(await portals.startEnd({ DATABASE_FILE: copyPath() })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SECRETS_KEY'),
  });

  const env = { DATABASE_FILE: join(portals.folder, 'other.db'), SECRETS_KEY: 'b'.repeat(64) };
  const sealed = await portals.start(env);
  const secrets = await secretsOf(sealed.portal);
  const target = join(portals.folder, 'other-copy.db');
  expect(await backup([target], env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('set the SECRETS_KEY that the portal has now'),
  });
  await sealed.end();
  const restored = await portals.start({ ...env, DATABASE_FILE: target });
  expect(await secretsOf(restored.portal)).toBe(secrets);
});

test('overwrites nothing and leaves nothing behind if a backup fails', async () => {
  await portals.start();
  writeFileSync(copyPath(), 'mine');
  expect(await backup([copyPath()])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${copyPath()} already exists. Choose another file.\n`,
  });
  expect(readFileSync(copyPath(), 'utf8')).toBe('mine');
  renameSync(copyPath(), `${copyPath()}.key`);
  expect(await backup([copyPath()])).toMatchObject({ code: 1, stderr: expect.stringContaining('copy.db.key already') });
  expect(copyFiles()).toEqual(['copy.db.key']);

  const nowhere = join(portals.folder, 'none/copy.db');
  expect(await backup([nowhere])).toMatchObject({ code: 1, stderr: expect.stringContaining("doesn't exist") });
  expect(await backup(['/proc/copy.db'])).toMatchObject({ code: 1, stderr: expect.stringContaining('/proc/copy.db') });
});

test('refuses incorrect usage, a missing database and another program’s database', { tags: 'whole' }, async () => {
  expect(await backup([])).toMatchObject({ code: 2, stderr: expect.stringContaining('requires one FILE') });
  expect(await backup(['a.db', 'b.db'])).toMatchObject({ code: 2 });
  expect(await backup(['--all', 'a.db'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') });
  expect(await backup(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
  expect(await backup([copyPath()])).toMatchObject({ code: 1, stderr: expect.stringContaining('Check DATABASE_FILE') });
  writeFileSync(portals.file, 'text');
  expect(await backup([copyPath()])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is damaged or is not'),
  });
  expect(copyFiles()).toEqual([]);
  const { db, close } = openDatabase({ file: join(portals.folder, 'empty.db') });
  db.$client.pragma('application_id = 1');
  close();
  expect(await backup([copyPath()], { DATABASE_FILE: join(portals.folder, 'empty.db') })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to another program'),
  });
});
