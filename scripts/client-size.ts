import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The import graph in Vite's manifest. Keys are source paths or shared chunk names. */
export type ViteManifest = Record<
  string,
  { file: string; src?: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[] }
>;

/**
 * Size of a lazy-loaded bundle, in bytes of gzipped JavaScript. `own` covers the entry file and `total` adds its
 * static imports. `files` is the number of requests.
 */
export type BundleWeight = { part: string; own: number; total: number; files: number; budget: number; isOver: boolean };

const SIGN_IN = 'src/features/sign-in/sign-in-screen.tsx';
const FIRST_LOAD_BUDGET = 150_000;
const SCREEN_BUDGET = 60_000;
/**
 * Maximum number of files. Browsers load six files at a time, and each request costs the server more than the bytes
 * it sends.
 */
const FIRST_LOAD_FILES = 10;
const SCREEN_FILES = 50;

function closure(manifest: ViteManifest, key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key]?.imports ?? []) closure(manifest, imported, seen);
  return seen;
}

/**
 * Measures the sign-in page as a whole (entry, sign-in screen and all their imports) and every other lazy bundle by
 * its own file. Throws if the manifest has no entry or no lazy sign-in screen, because there would be nothing to
 * check.
 */
export function weighClient(manifest: ViteManifest, gzippedSize: (file: string) => number): BundleWeight[] {
  const keys = Object.keys(manifest);
  const entry = keys.find((key) => manifest[key]?.isEntry);
  const lazy = keys.filter((key) => manifest[key]?.isDynamicEntry);
  const signIn = lazy.find((key) => key === SIGN_IN);
  if (!entry || !signIn) throw new Error(`The manifest has no entry or no lazy ${SIGN_IN}`);

  const sizeOf = (key: string) => gzippedSize(manifest[key]?.file ?? '');
  const firstLoad = closure(manifest, signIn, closure(manifest, entry));
  const firstLoadSize = [...firstLoad].reduce((sum, key) => sum + sizeOf(key), 0);

  const screens = lazy.filter((key) => !firstLoad.has(key));
  return [
    {
      part: 'sign-in page (first load)',
      own: firstLoadSize,
      total: firstLoadSize,
      files: firstLoad.size,
      budget: FIRST_LOAD_BUDGET,
      isOver: firstLoadSize > FIRST_LOAD_BUDGET || firstLoad.size > FIRST_LOAD_FILES,
    },
    ...screens
      .map((key) => {
        const own = sizeOf(key);
        const added = [...closure(manifest, key)].filter((part) => !firstLoad.has(part));
        const total = added.reduce((sum, part) => sum + sizeOf(part), 0);
        return {
          part: key.replace(/^src\/|^.*node_modules\//, ''),
          own,
          total,
          files: added.length,
          budget: SCREEN_BUDGET,
          isOver: own > SCREEN_BUDGET || added.length > SCREEN_FILES,
        };
      })
      .sort((a, b) => b.own - a.own),
  ];
}

/** Measures the client built in web/dist. */
export function readClientWeights(): BundleWeight[] {
  const dist = join(import.meta.dirname, '../web/dist');
  const manifest: ViteManifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  return weighClient(manifest, (file) => gzipSync(readFileSync(join(dist, file))).length);
}

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);

/** Formats the weights as a table with own size, size including imports, and budget. */
export function formatWeights(weights: BundleWeight[]): string {
  const width = Math.max(...weights.map(({ part }) => part.length));
  const rows = weights.map(({ part, own, total, files, budget, isOver }) =>
    `  ${part.padEnd(width)}  ${kB(own)}  ${kB(total)}  ${String(files).padStart(5)}  ${kB(budget)}  ${isOver ? 'OVER' : ''}`.trimEnd(),
  );
  const head = `  ${'JavaScript, gzipped'.padEnd(width)}  ${'own'.padStart(9)}  ${'with its'.padStart(9)}  files  ${'budget'.padStart(9)}`;
  return [head, ...rows].join('\n');
}

if (import.meta.main) {
  const weights = readClientWeights();
  console.log(formatWeights(weights));
  process.exitCode = weights.some(({ isOver }) => isOver) ? 1 : 0;
}
