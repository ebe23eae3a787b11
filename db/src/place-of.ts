import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the path of a folder or file of the project, e.g. `db/migrations`. It is in the root of the workspace, or in the
 * installed package.
 */
export function placeOf(path: string): string {
  let root = import.meta.dirname;
  while (!existsSync(join(root, path)) && root !== dirname(root)) root = dirname(root);
  return join(root, path);
}
