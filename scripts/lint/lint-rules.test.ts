import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'lint-rules-'));
  await cp(join(root, 'biome.json'), join(project, 'biome.json'));
  await cp(join(root, 'scripts/lint'), join(project, 'scripts/lint'), { recursive: true });
  await cp(join(root, '.gitignore'), join(project, '.gitignore'));
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
});

afterEach(() => rm(project, { recursive: true, force: true }));

/** Lints one file at `path` of an otherwise empty project. Answers whether a complaint contains `message`. */
async function isRefused(path: string, source: string, message: string): Promise<boolean> {
  await mkdir(dirname(join(project, path)), { recursive: true });
  await writeFile(join(project, path), source);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const output = await promisify(execFile)(process.execPath, [biome, 'lint', path], { cwd: project }).catch(
    (refusal: { stdout: string; stderr: string }) => refusal,
  );
  await rm(join(project, path));
  const text = output.stderr.replace(/\s+/g, ' ');
  expect(text).not.toContain('Errors: Failed');
  return text.includes(message);
}

test.each([
  ['shared/src/fields.ts', 'drizzle-orm'],
  ['shared/src/fields.ts', 'node:fs'],
  ['shared/src/fields.ts', '@noble/curves/nist.js'],
  ['shared/src/fields.ts', '../../db/src/open.ts'],
  ['shared/src/authenticator/sign.ts', '@orchestrate/server/testing'],
  ['shared/src/authenticator/sign.ts', 'node:crypto'],
  ['db/src/open.ts', 'fastify'],
  ['db/src/open.ts', '@orchestrate/server/main'],
  ['server/src/app.ts', '@orchestrate/web'],
  ['server/src/app.ts', '../../web/src/paths.ts'],
  ['web/src/lib/call.ts', '@orchestrate/server/testing'],
  ['web/src/lib/call.ts', '@orchestrate/db'],
  ['web/src/lib/call.ts', 'node:path'],
  ['web/src/features/authenticator/phone.tsx', '../../../../server/src/app.ts'],
  ['web/src/features/devices/devices-table.tsx', '../people/member-card.tsx'],
  ['web/src/features/devices/parts/row.tsx', '../../people/member-card.tsx'],
  ['server/src/features/devices/routes.ts', '../people/domain.ts'],
  ['server/src/features/devices/devices.test.ts', '../people/domain.ts'],
  ['web/src/ui/copy-field.tsx', '../features/devices/use-devices.ts'],
  ['server/src/challenges/lifecycle.ts', '../features/devices/domain.ts'],
])('%s may not import %s', async (path, source) => {
  expect(await isRefused(path, `export { thing } from '${source}';\n`, '(import law)')).toBe(true);
});

test.each([
  ['shared/src/fields.ts', 'zod'],
  ['shared/src/contract/devices.ts', '../fields.ts'],
  ['shared/src/authenticator/sign.ts', '@noble/curves/nist.js'],
  ['db/src/open.ts', 'drizzle-orm/better-sqlite3'],
  ['db/src/open.ts', 'node:fs'],
  ['server/src/features/devices/routes.ts', './domain.ts'],
  ['server/src/features/devices/routes.ts', '../../http/implement.ts'],
  ['server/src/app.ts', './features/devices/routes.ts'],
  ['web/src/features/devices/parts/row.tsx', '../use-devices.ts'],
  ['web/src/features/devices/parts/row.tsx', '../../../lib/call.ts'],
  ['web/src/lib/call.ts', '@orchestrate/shared'],
  ['web/src/lib/call.test.ts', '@orchestrate/server/testing'],
])('%s may import %s', async (path, source) => {
  expect(await isRefused(path, `export { thing } from '${source}';\n`, '(import law)')).toBe(false);
});

test.each(['Date.now()', 'new Date()', 'Math.random()', 'process.env.PORT'])(
  '%s is for the edge of the house',
  async (expression) => {
    const source = `export const value = ${expression};\n`;
    expect(await isRefused('server/src/challenges/lifecycle.ts', source, '(house rule 10)')).toBe(true);
    expect(await isRefused('server/src/adapters/clock.ts', source, '(house rule 10)')).toBe(false);
    expect(await isRefused('server/src/config.ts', source, '(house rule 10)')).toBe(false);
    expect(await isRefused('server/src/app.test.ts', source, '(house rule 10)')).toBe(false);
  },
);

test('a time that is given may be turned into a date', async () => {
  const source = 'export const at = (epoch: number) => new Date(epoch);\n';
  expect(await isRefused('server/src/challenges/lifecycle.ts', source, '(house rule 10)')).toBe(false);
});

test('a double cast is refused', async () => {
  const source = 'export const text = (5 as unknown as string).length;\n';
  expect(await isRefused('web/src/app.tsx', source, 'A double cast')).toBe(true);
});
