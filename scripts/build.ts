import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = join(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'web/dist');
const SERVER = join(ROOT, 'server/dist');
/** Field descriptions for the API reference, read from the contract's comments. */
export const MEANINGS_FILE = 'shared/dist/meanings.json';

const STAMP = '.built-from';

/** Files, folders with their subfolders, and with `/*` the files directly in a folder. */
type Sources = readonly string[];
const CLIENT_SOURCES: Sources = [
  'web/*',
  'web/public',
  'web/src',
  'shared/package.json',
  'shared/src',
  'scripts/meanings',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
];
const SERVER_SOURCES: Sources = [
  'package.json',
  'pnpm-lock.yaml',
  'scripts/build.ts',
  ...['db', 'server', 'shared'].flatMap((name) => [`${name}/package.json`, `${name}/src`]),
];

/**
 * Path characters that break the build. Vite treats # and ? as URL delimiters, and Vite and Lingui treat the others
 * as glob syntax.
 */
const UNBUILDABLE = /[#?*[\]]/;

const TEST = /\.test\.tsx?$/;

/** Returns the paths of all source files except tests, relative to the root. */
function listFiles(sources: Sources): string[] {
  const files = sources.flatMap((source) => {
    const isFlat = source.endsWith('/*');
    const folder = join(ROOT, isFlat ? source.slice(0, -2) : source);
    if (!statSync(folder).isDirectory()) return source;
    return readdirSync(folder, { recursive: !isFlat, withFileTypes: true })
      .filter((entry) => entry.isFile() && !TEST.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  });
  return files.sort();
}

function hashOf(files: readonly string[], describe: (path: string) => string | Buffer): string {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(describe(join(ROOT, file)));
  return hash.digest('hex');
}

/** Size and time of change, which are much faster to read than the content. */
function statsOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}

/**
 * Builds a folder unless it is up to date. Cloning or touching sources doesn't make it outdated.
 * @param result files that must exist
 * @returns true if the folder was built
 */
async function buildOnce(
  folder: string,
  sources: Sources,
  result: readonly string[],
  build: () => Promise<void>,
): Promise<boolean> {
  const stamp = join(folder, STAMP);
  const files = listFiles(sources);
  const stats = hashOf(files, statsOf);
  const isComplete = [stamp, ...result].every((file) => existsSync(file));
  const [builtStats, builtContent] = isComplete ? readFileSync(stamp, 'utf8').split('\n') : [];
  if (builtStats === stats) return false;
  const content = hashOf(files, (path) => readFileSync(path));
  const isFresh = builtContent === content;
  if (!isFresh) await build();
  // Written last, so an interrupted build never looks complete.
  writeFileSync(stamp, `${stats}\n${content}`);
  return !isFresh;
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
  const files = globSync('**/*.{css,html,js,json,svg,txt}', { cwd: CLIENT });
  await Promise.all(
    files.map(async (name) => {
      const file = join(CLIENT, name);
      const content = await readFile(file);
      // The best quality takes the build a few seconds longer, and a first visit on a slow connection 0.1 s less.
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
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
  return buildOnce(CLIENT, CLIENT_SOURCES, [join(CLIENT, 'index.html'), join(ROOT, MEANINGS_FILE)], async () => {
    console.error('Building the client…');
    await Promise.all([runVite(), writeMeanings()]);
    await compress();
  });
}

/**
 * Escapes every non-ASCII character: a single one outside Latin-1 makes V8 use two bytes per character for the whole
 * file. In our code they occur only in strings and regular expressions, where escaping doesn't change the meaning.
 */
export const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Packages that aren't bundled: they have binaries, load their files by path, or are needed only on a terminal.
 * `server/package.json` lists them, because the bundle is in that folder.
 */
const NOT_BUNDLED = ['better-sqlite3', 'sharp', 'pino-pretty', 'xmllint-wasm', '@authenio/samlify-xmllint-wasm'];

/**
 * Bundles the server into `server/dist` unless it is up to date: loading hundreds of files would take up half of the
 * start. Returns true if anything was built.
 */
export async function buildServer(): Promise<boolean> {
  return buildOnce(SERVER, SERVER_SOURCES, [join(SERVER, 'main.js')], async () => {
    console.error('Building the server…');
    const { rolldown } = await import('rolldown');
    const program = await rolldown({
      input: join(ROOT, 'server/src/main.ts'),
      external: (id) => isBuiltin(id) || NOT_BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
      platform: 'node',
      // depd, which oidc-provider's Koa uses, evaluates code to name functions.
      checks: { eval: false },
    });
    rmSync(SERVER, { recursive: true, force: true });
    const { output } = await program.write({
      dir: SERVER,
      format: 'esm',
      chunkFileNames: 'chunks/[name].js',
      comments: false,
    });
    await program.close();
    for (const part of output) {
      if (part.type === 'chunk') await writeFile(join(SERVER, part.fileName), inAscii(part.code));
    }
  });
}

if (import.meta.main) {
  const [client, server] = await Promise.all([buildClient(), buildServer()]);
  console.error(client ? 'Built web/dist.' : 'web/dist is up to date.');
  console.error(server ? 'Built server/dist.' : 'server/dist is up to date.');
}
