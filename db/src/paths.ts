import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Returns the path of a folder or file of the project, e.g. `db/migrations`. It is in the root of the workspace, or in the
 * installed package.
 */
export function placeOf(path: string): string {
  let root = import.meta.dirname;
  while (!existsSync(join(root, path)) && root !== dirname(root)) root = dirname(root);
  return join(root, path);
}

/**
 * Makes a folder for secrets where there is none: open to its owner alone, and left out of the repository that it may
 * be in. A folder that is there stays as it is.
 */
export function makePrivateFolder(path: string): void {
  if (isThere(path)) return;
  makeFolder(path);
  ignoreAllIn(path);
}

const ignoreAllIn = (path: string) => writeFileSync(join(path, '.gitignore'), '*\n');

/** What a portal keeps beside its database: the lab's token, and the authority of its certificate. */
const COMPANIONS = ['lab-token', 'ca.pem', 'ca.key'];

/** Leaves a database's folder out of a repository too that an older version made: it holds nothing else. */
export function ignoreFolderOf(database: string): void {
  const folder = dirname(database);
  const isOurs = (name: string) => name.startsWith(basename(database)) || COMPANIONS.includes(name);
  const names = readdirSync(folder);
  if (names.includes(basename(database)) && names.every(isOurs)) ignoreAllIn(folder);
}

/** Not with `recursive`: below a folder that cannot have subfolders, e.g. in /proc, Node would try for ever. */
function makeFolder(path: string): void {
  if (isThere(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, 0o700);
}

/** A drive that is not there is its own parent. */
const isThere = (path: string): boolean => existsSync(path) || dirname(path) === path;
