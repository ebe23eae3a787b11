import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeSchema } from '@orchestrate/db/testing';
import { startTestPortal } from '@orchestrate/server/testing';
import { COVERAGE_PAGES, withTests } from './coverage-tables/coverage-pages.ts';
import { findCoveringTests } from './coverage-tables/covering-tests.ts';
import { findResultTests, resultCodesPage } from './result-codes/result-codes-page.ts';
import { supportedPage } from './supported/supported-page.ts';

/**
 * Regenerates docs/result-codes.md, SUPPORTED.md, exchanges.json, recorded-events.json, orchestrate.py and the coverage
 * tables from the contract, the routes and the tests, and regenerates whole.sql from the migrations. Deletes all but the
 * newest schema snapshot.
 */
const root = join(import.meta.dirname, '..');

function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(1);
}

writeFileSync(join(root, 'db/migrations/whole.sql'), wholeSchema());
// drizzle-kit compares the schema only to the newest snapshot.
const meta = join(root, 'db/migrations/meta');
const snapshots = readdirSync(meta).filter((name) => name.endsWith('_snapshot.json'));
for (const older of snapshots.toSorted().slice(0, -1)) rmSync(join(meta, older));
writeFileSync(join(root, 'docs/result-codes.md'), resultCodesPage(findResultTests(root)));
const tests = findCoveringTests(root);
for (const [page, word] of COVERAGE_PAGES) {
  writeFileSync(join(root, page), withTests(readFileSync(join(root, page), 'utf8'), word, tests));
}
// The server reads the contract's comments on import, so this runs in another process.
run('../scripts/meanings/read-meanings.ts', []);
run('../scripts/languages/python-module.ts', []);
const portal = await startTestPortal();
writeFileSync(join(root, 'SUPPORTED.md'), await supportedPage(portal));
await portal.close();
run('vitest/vitest.mjs', ['run', '--project', 'server', 'exchanges', 'every-write'], { RECORD: '1' });
run('@biomejs/biome/bin/biome', [
  'format',
  '--write',
  'server/src/platform/http/exchanges.json',
  'server/src/protocols/webhook-delivery/recorded-events.json',
]);
