import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a folder for secrets where there is none: open to its owner alone, and left out of the repository that it may be
 * in. A folder that is there stays as it is.
 */
export function makePrivateFolder(path: string): void {
  if (isThere(path)) return;
  makeFolder(path);
  writeFileSync(join(path, '.gitignore'), '*\n');
}

/** Not with `recursive`: below a folder that cannot have subfolders, e.g. in /proc, Node would try for ever. */
function makeFolder(path: string): void {
  if (isThere(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, 0o700);
}

/** A drive that is not there is its own parent. */
const isThere = (path: string): boolean => existsSync(path) || dirname(path) === path;
