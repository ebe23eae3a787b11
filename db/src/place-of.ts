import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Where a folder of the project is, e.g. `db/migrations`: beside the packages of the workspace, or in the package that
 * all of them are built into.
 */
export function placeOf(path: string): string {
  let root = import.meta.dirname;
  while (!existsSync(join(root, path)) && root !== dirname(root)) root = dirname(root);
  return join(root, path);
}
