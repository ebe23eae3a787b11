import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildClient, buildServer } from './build.ts';
import { formatWeights, readClientWeights } from './client-size.ts';
import { requireChromium } from './find-chromium.ts';
import { installFromDebian, provideNginx } from './install-from-debian.ts';

/** Installs xmlsec1, which one test uses to verify our XML signatures. Without xmlsec1, that test is skipped. */
function provideXmlsec1(): void {
  if (spawnSync('xmlsec1', ['--version']).status === 0) return;
  const isInstalled = installFromDebian('xmlsec1');
  const outcome = isInstalled ? 'installed it from Debian (apt-get)' : 'skipping the test that needs it';
  console.log(`xmlsec1 not found: ${outcome}`);
}

/** Installs Python, which some tests run. Without it, they fail. */
function providePython(): void {
  if (spawnSync('python3', ['--version']).status !== 0 && !installFromDebian('python3'))
    console.log('python3 not found: the tests of the Python module will fail');
}

/** Number of passed and failed checks in a step. */
type Count = { passed: number; failed: number };

const ROOT = join(import.meta.dirname, '..');
const MODULES = join(ROOT, 'node_modules');
/**
 * Node's compile cache, shared with the programs that the tests start. Dozens of these programs load the same files.
 */
const COMPILED = join(MODULES, '.cache/compile');
const JOURNEYS = join(ROOT, 'web/e2e/playwright.config.ts');
/**
 * `--whole` also runs slow tests, which are otherwise skipped or shortened. `--changed` runs only tests affected by
 * uncommitted changes, `--since main` only tests affected by a branch.
 */
const { values: wanted } = parseArgs({
  options: { whole: { type: 'boolean' }, changed: { type: 'boolean' }, since: { type: 'string' } },
});
const isWhole = wanted.whole === true;
const brief = isWhole ? {} : { BRIEF: '1' };
const isPartial = wanted.changed === true || wanted.since !== undefined;
const reports = mkdtempSync(join(tmpdir(), 'orchestrate-test-'));

/** Runs a Node program in the workspace. Resolves to true if the program succeeded. */
function succeeds(script: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const program = spawn(process.execPath, [join(MODULES, script), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env },
    });
    program.once('error', reject);
    program.once('exit', (code) => resolve(code === 0));
  });
}

const one = (isGood: boolean): Count => ({ passed: Number(isGood), failed: Number(!isGood) });

/** Counts one failure if the runner exits with an error even though no test failed. */
const atLeastOneFailure = (isGood: boolean, count: Count): Count =>
  isGood ? count : { ...count, failed: Math.max(1, count.failed) };

function readReport<Report>(file: string): Report | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

const checkStyle = async () => one(await succeeds('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']));

async function checkTypes(): Promise<Count> {
  const packages = ['shared', 'db', 'server', 'web', 'scripts'];
  const answers = await Promise.all(packages.map((name) => succeeds('typescript/bin/tsc', ['-p', name])));
  return one(answers.every(Boolean));
}

async function runUnitTests(): Promise<Count> {
  provideXmlsec1();
  providePython();
  if (!provideNginx()) console.log('nginx not found: skipping the test that needs it');
  const file = join(reports, 'unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const some = isPartial ? [wanted.since === undefined ? '--changed' : `--changed=${wanted.since}`] : [];
  const left = isWhole ? [] : ['--project=!examples', '--tags-filter=!whole'];
  const isGood = await succeeds('vitest/vitest.mjs', ['run', ...left, ...reporters, ...some], brief);
  const report = readReport<{ numPassedTests: number; numFailedTests: number }>(file);
  return atLeastOneFailure(isGood, { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 });
}

async function build(): Promise<Count> {
  const [isClientBuilt] = await Promise.all([buildClient(), buildServer()]);
  if (!isClientBuilt) console.log('web/dist is up to date.');
  return one(true);
}

async function weigh(): Promise<Count> {
  const weights = readClientWeights();
  console.log(formatWeights(weights));
  return one(weights.every(({ isOver }) => !isOver));
}

async function runJourneys(): Promise<Count> {
  if (!existsSync(JOURNEYS)) return { passed: 0, failed: 0 };
  const file = join(reports, 'journeys.json');
  const some = isPartial ? [wanted.since === undefined ? '--only-changed' : `--only-changed=${wanted.since}`] : [];
  if (!isWhole) some.push('--grep-invert=@whole');
  const isGood = await succeeds('@playwright/test/cli.js', ['test', '-c', JOURNEYS, '--reporter=list,json', ...some], {
    ...brief,
    CHROMIUM_PATH: requireChromium(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const stats = readReport<{ stats: { expected: number; unexpected: number; flaky: number } }>(file)?.stats;
  return atLeastOneFailure(isGood, {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
  });
}

const steps: [heading: string, run: () => Promise<Count>][] = [
  ['Format and lint', checkStyle],
  ['Types', checkTypes],
  ['Client build', build],
  ['Client size', weigh],
  ['Unit and HTTP tests', runUnitTests],
  ['Browser journeys', runJourneys],
];

const total: Count = { passed: 0, failed: 0 };
for (const [heading, run] of steps) {
  console.log(`\n■ ${heading}`);
  const began = performance.now();
  const { passed, failed } = await run().catch((reason: unknown) => {
    console.error(reason instanceof Error ? reason.message : reason);
    return one(false);
  });
  total.passed += passed;
  total.failed += failed;
  console.log(
    `□ ${heading}: ${failed === 0 ? 'passed' : 'failed'} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  if (failed > 0) break;
}

rmSync(reports, { recursive: true, force: true });
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
console.log(`\n${total.passed} passed, ${total.failed} failed`);
