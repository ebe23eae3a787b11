import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@orchestrate/server/version';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('has the newest release in the changelog as the package version', () => {
  const versions = globSync(['package.json', '*/package.json'], { cwd: ROOT }).flatMap((path) => {
    const { version }: { version?: string } = JSON.parse(read(path));
    return version === undefined ? [] : [{ path, version }];
  });
  expect(versions).toEqual([{ path: 'package.json', version: VERSION }]);
  const releases = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  expect(releases[0]).toBe(VERSION);
  expect(releases).toEqual(releases.toSorted((a = '', b = '') => b.localeCompare(a, 'en', { numeric: true })));
});

test('opens databases created by every earlier release', () => {
  const releases = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  const fixtures = globSync('db/src/fixtures/version-*.db.gz', { cwd: ROOT }).map(
    (path) => /version-(.+)\.db/.exec(path)?.[1],
  );
  expect(fixtures.toSorted()).toEqual(releases.toSorted());
});

// New migrations can change until they are released. A release lists its migrations as delivered, after which they
// must not change.
test.skipIf(/^## Unreleased/m.test(read('CHANGELOG.md')))('lists all migrations of a release as delivered', () => {
  const { entries }: { entries: { tag: string }[] } = JSON.parse(read('db/migrations/meta/_journal.json'));
  const delivered: { tag: string }[] = JSON.parse(read('db/migrations/delivered.json'));
  expect(delivered.map(({ tag }) => tag)).toEqual(entries.map(({ tag }) => tag));
});

test('selects packages for the project’s Node version, not for the version that runs pnpm', () => {
  const { devDependencies }: { devDependencies: { node: string } } = JSON.parse(read('package.json'));
  const { nodeVersion }: { nodeVersion?: string } = parse(read('pnpm-workspace.yaml'));
  expect(nodeVersion).toBe(devDependencies.node);
});
