import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Returns the path of a project folder or file, e.g. `db/migrations`, in the workspace or in the installed package. */
export function projectPath(path: string): string {
  let root = import.meta.dirname;
  while (!existsSync(join(root, path)) && root !== dirname(root)) root = dirname(root);
  return join(root, path);
}

/** Creates a folder for secrets if it doesn't exist, accessible only to its owner and ignored by Git. */
export function makePrivateFolder(path: string): void {
  if (isThere(path)) return;
  makeFolder(path);
  ignoreAllIn(path);
}

const ignoreAllIn = (path: string) => writeFileSync(join(path, '.gitignore'), '*\n');

/**
 * Files that a portal stores next to its database: the lab token, and the certificate authority's certificate and
 * key.
 */
const COMPANIONS = ['lab-token', 'ca.pem', 'ca.key'];

/** Adds `.gitignore` to a database folder created by an older version, if it contains no other files. */
export function addGitignoreToFolder(database: string): void {
  const folder = dirname(database);
  const isOurs = (name: string) => name.startsWith(basename(database)) || COMPANIONS.includes(name);
  const names = readdirSync(folder);
  if (names.includes(basename(database)) && names.every(isOurs)) ignoreAllIn(folder);
}

/**
 * Creates a folder and its missing parents. Doesn't use `recursive`: Node would retry forever in folders that can't
 * have subfolders, e.g. in /proc.
 */
function makeFolder(path: string): void {
  if (isThere(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, 0o700);
}

/** Returns true if the path exists, or is its own parent, like a missing drive. */
const isThere = (path: string): boolean => existsSync(path) || dirname(path) === path;
