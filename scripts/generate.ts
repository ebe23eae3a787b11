import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeSchema } from '@orchestrate/db/testing';
import { startTestPortal } from '@orchestrate/server/testing';
import { tasksOfTheGuide } from './assistants/tasks-of-the-guide.ts';
import { readMeanings } from './meanings/read-meanings.ts';
import { findResultTests } from './result-codes/find-tests.ts';
import { resultCodesPage } from './result-codes/result-codes-page.ts';
import { supportedPage } from './supported/supported-page.ts';

/**
 * Rewrites what follows from the contract, the routes and the tests (docs/result-codes.md, SUPPORTED.md,
 * exchanges.json, examples.json, meanings.json), from the guide (what assistants are told), and from the migrations
 * (whole.sql).
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
writeFileSync(join(root, 'docs/result-codes.md'), resultCodesPage(findResultTests(root)));
const tasks = 'server/src/features/reference/tasks-of-the-guide.json';
const guide = readFileSync(join(root, 'docs/testing-a-client.md'), 'utf8');
writeFileSync(join(root, tasks), JSON.stringify(tasksOfTheGuide(guide)));
// Reads the file that was just written.
const { skillFile } = await import('./assistants/skill-file.ts');
writeFileSync(join(root, 'scripts/pack/files/skills/orchestrate/SKILL.md'), skillFile());
const meanings = 'server/src/features/reference/meanings.json';
writeFileSync(join(root, meanings), JSON.stringify(readMeanings(root)));
const portal = await startTestPortal();
writeFileSync(join(root, 'SUPPORTED.md'), await supportedPage(portal));
await portal.close();
run('vitest/vitest.mjs', ['run', '--project', 'server', 'exchanges'], { RECORD: '1' });
const recorded = ['server/src/platform/http/exchanges.json', 'server/src/features/reference/examples.json'];
run('@biomejs/biome/bin/biome', ['format', '--write', ...recorded, tasks, meanings]);
