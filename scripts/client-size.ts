import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The import graph in Vite's manifest. Keys are source paths or shared chunk names. */
export type ViteManifest = Record<
  string,
  { file: string; name?: string; src?: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[] }
>;

/**
 * Size of a lazy-loaded bundle, in bytes of gzipped JavaScript. `own` covers the entry file and `total` adds its
 * static imports. `files` is the number of requests.
 */
export type BundleWeight = { part: string; own: number; total: number; files: number; budget: number; isOver: boolean };

/** Names of the chunks (`web/vite.config.ts`) that contain the sign-in screen and the first screen after it. */
const SIGN_IN = ['first'];
const DASHBOARD = ['first', 'shell'];
const SIGN_IN_BUDGET = 150_000;
const DASHBOARD_BUDGET = 290_000;
const SCREEN_BUDGET = 60_000;
/**
 * Maximum number of files. Browsers load six files at a time, and each request costs the server more than the bytes
 * it sends.
 */
const SIGN_IN_FILES = 3;
const DASHBOARD_FILES = 4;
const SCREEN_FILES = 12;

function closure(manifest: ViteManifest, key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key) || !manifest[key]) return seen;
  seen.add(key);
  for (const imported of manifest[key]?.imports ?? []) closure(manifest, imported, seen);
  return seen;
}

/**
 * Measures the sign-in page and the dashboard as a whole, with all their imports, and every lazy bundle by its own
 * file. Throws if there is no such chunk, because there would be nothing to check.
 */
export function weighClient(manifest: ViteManifest, gzippedSize: (file: string) => number): BundleWeight[] {
  const keys = Object.keys(manifest);
  const sizeOf = (key: string) => gzippedSize(manifest[key]?.file ?? '');
  const totalOf = (parts: Iterable<string>) => [...parts].reduce((sum, key) => sum + sizeOf(key), 0);
  const loadOf = (names: readonly string[]) => {
    const needed = new Set<string>();
    for (const name of names) {
      const chunk = keys.find((key) => manifest[key]?.name === name);
      if (!chunk) throw new Error(`The manifest has no chunk named ${name}`);
      closure(manifest, chunk, needed);
    }
    return needed;
  };
  const weigh = (part: string, load: ReadonlySet<string>, budget: number, files: number): BundleWeight => {
    const total = totalOf(load);
    return { part, own: total, total, files: load.size, budget, isOver: total > budget || load.size > files };
  };

  const [signIn, dashboard] = [loadOf(SIGN_IN), loadOf(DASHBOARD)];
  const lazy = keys.filter((key) => manifest[key]?.isDynamicEntry && !dashboard.has(key));
  return [
    weigh('sign-in page (first load)', signIn, SIGN_IN_BUDGET, SIGN_IN_FILES),
    weigh('dashboard (first load)', dashboard, DASHBOARD_BUDGET, DASHBOARD_FILES),
    ...lazy
      .map((key) => {
        const own = sizeOf(key);
        const added = [...closure(manifest, key)].filter((part) => !signIn.has(part));
        return {
          part: key.replace(/^src\/|^.*node_modules\//, ''),
          own,
          total: totalOf(added),
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
  // The manifest also lists chunks that the build has removed (`web/screen-files.ts`).
  const built = Object.entries(manifest).filter(([, { file }]) => existsSync(join(dist, file)));
  return weighClient(Object.fromEntries(built), (file) => gzipSync(readFileSync(join(dist, file))).length);
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
