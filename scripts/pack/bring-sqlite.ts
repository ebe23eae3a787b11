import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const SQLITE = 'better-sqlite3';
/** Only a compiler reads these. */
const TO_BUILD_IT = ['binding.gyp', 'deps', 'src'];

/**
 * Puts better-sqlite3 into the package with its binaries, and without what builds them: from a lockfile, npm builds
 * whatever has a `binding.gyp`, though better-sqlite3 says `gypfile: false` (github.com/npm/cli/issues/9837).
 */
export async function bringSqlite(root: string, folder: string): Promise<void> {
  const { resolve } = createRequire(join(root, 'db', 'package.json'));
  const description = resolve(`${SQLITE}/package.json`);
  const there = join(folder, 'node_modules', SQLITE);
  await cp(dirname(description), there, { recursive: true });
  for (const name of TO_BUILD_IT) await rm(join(there, name), { recursive: true });
  // Its dependencies are headers for compilers.
  const { dependencies: _, ...kept } = JSON.parse(await readFile(description, 'utf8'));
  await writeFile(join(there, 'package.json'), `${JSON.stringify(kept, undefined, 2)}\n`);
}
