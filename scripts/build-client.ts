import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'web/dist');
const STAMP = join(DIST, '.built-from');
/** What the fields of the contract mean: for the reference, from its comments. */
export const MEANINGS = 'shared/dist/meanings.json';

const INPUTS = [
  'web/*.{html,json,ts}',
  'web/public/**/*',
  'web/src/**/*',
  'shared/package.json',
  'shared/src/**/*',
  'scripts/meanings/*.ts',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
];

/** Vite takes the first two for parts of an address, and Lingui and it the others for patterns. */
const UNBUILDABLE = /[#?*[\]]/;

const TEST = /\.test\.tsx?$/;

/**
 * SHA-256 over name and content of everything that the client is built from; cloning or touching files does not change
 * it.
 */
function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(INPUTS, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function isFresh(stamp: string): boolean {
  const built = [STAMP, join(DIST, 'index.html'), join(ROOT, MEANINGS)];
  return built.every((file) => existsSync(file)) && readFileSync(STAMP, 'utf8') === stamp;
}

function run(program: string, args: string[], failure: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, program), ...args],
      // On stderr, because `start --json` promises its standard output to programs. The build is always for production,
      // whatever the caller's environment: otherwise React's development checks would go out to every browser.
      { cwd: join(ROOT, 'web'), stdio: ['ignore', 2, 2], env: { ...process.env, NODE_ENV: 'production' } },
    );
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(failure))));
  });
}

const runVite = () =>
  run(
    'web/node_modules/vite/bin/vite.js',
    ['build', '--logLevel', 'warn', '--emptyOutDir'],
    "Couldn't build the client.",
  );

/** In a process of its own, because the compiler needs memory that the server would keep. */
const writeMeanings = () =>
  run('scripts/meanings/read-meanings.ts', [], 'The comments of the contract could not be read.');

/** Writes `.br` and `.gz` beside every text asset, so that the server can send them as they are. */
async function compress(): Promise<void> {
  const files = globSync('**/*.{css,html,js,json,svg,txt}', { cwd: DIST });
  await Promise.all(
    files.map(async (name) => {
      const file = join(DIST, name);
      const content = await readFile(file);
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/**
 * Builds `web/dist`, and what the fields of the contract mean for the reference, unless they already come from exactly
 * these sources.
 * Returns whether there was anything to do. Throws when the build fails; the next call then tries again.
 */
export async function buildClient(): Promise<boolean> {
  const sign = UNBUILDABLE.exec(ROOT)?.[0];
  if (sign) {
    throw new Error(
      `The client cannot be built in ${ROOT}, because of the ${sign} in its path. Move the repository to a folder without # ? * [ and ], and start again.`,
    );
  }
  const stamp = fingerprint();
  if (isFresh(stamp)) return false;
  console.error('Building the client…');
  await Promise.all([runVite(), writeMeanings()]);
  await compress();
  // Last, so that an interrupted build never counts as finished.
  writeFileSync(STAMP, stamp);
  return true;
}

if (import.meta.main) {
  const isBuilt = await buildClient();
  console.error(isBuilt ? 'Built web/dist.' : 'web/dist is up to date.');
}
