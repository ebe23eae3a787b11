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
/** Field descriptions for the API reference, read from the contract's comments. */
export const MEANINGS_FILE = 'shared/dist/meanings.json';

const INPUTS = [
  'web/*.{html,js,json,ts}',
  'web/public/**/*',
  'web/src/**/*',
  'shared/package.json',
  'shared/src/**/*',
  'scripts/meanings/*.ts',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
];

/**
 * Path characters that break the build. Vite treats # and ? as URL delimiters, and Vite and Lingui treat the others
 * as glob syntax.
 */
const UNBUILDABLE = /[#?*[\]]/;

const TEST = /\.test\.tsx?$/;

/**
 * Returns a SHA-256 hash of the names and contents of the client's sources. Cloning or touching files doesn't change
 * the hash.
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
  const built = [STAMP, join(DIST, 'index.html'), join(ROOT, MEANINGS_FILE)];
  return built.every((file) => existsSync(file)) && readFileSync(STAMP, 'utf8') === stamp;
}

function run(program: string, args: string[], failure: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, program), ...args],
      // Sends output to stderr because `start --json` reserves stdout for programs. Always builds for production
      // regardless of NODE_ENV, which keeps React's development checks out of browsers.
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

/** Uses a separate process because the server would never free the compiler's memory. */
const writeMeanings = () => run('scripts/meanings/read-meanings.ts', [], "Couldn't read the contract's comments.");

/** Writes `.br` and `.gz` files next to every text asset, which the server sends as they are. */
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
 * Builds `web/dist` and the API reference's field descriptions unless they are up to date. Returns true if anything
 * was built. Throws if the build fails, in which case the next call retries.
 */
export async function buildClient(): Promise<boolean> {
  const sign = UNBUILDABLE.exec(ROOT)?.[0];
  if (sign) {
    throw new Error(
      `Can't build the client in ${ROOT} because its path contains ${sign}. Move the repository to a folder without # ? * [ and ], and try again.`,
    );
  }
  const stamp = fingerprint();
  if (isFresh(stamp)) return false;
  console.error('Building the client…');
  await Promise.all([runVite(), writeMeanings()]);
  await compress();
  // Written last, so an interrupted build never looks complete.
  writeFileSync(STAMP, stamp);
  return true;
}

if (import.meta.main) {
  const isBuilt = await buildClient();
  console.error(isBuilt ? 'Built web/dist.' : 'web/dist is up to date.');
}
