import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient, MEANINGS } from './build-client.ts';
import { isAlive } from './links/dead-links.ts';
import { bringSqlite } from './pack/bring-sqlite.ts';
import { bundle } from './pack/bundle.ts';
import { describePackage } from './pack/describe-package.ts';
import { skillFile } from './pack/skill-file.ts';

const ROOT = join(import.meta.dirname, '..');

/** What goes into the package as it is. */
export const COPIED = [
  'db/migrations',
  'web/dist',
  MEANINGS,
  'CHANGELOG.md',
  'SUPPORTED.md',
  // The guide, and what it leads to.
  'docs/testing-a-client.md',
  'docs/contract.md',
  'docs/lab.md',
  'docs/result-codes.md',
  'docs/settings.md',
  'examples',
];
/**
 * Needed in the workspace alone: the mark of a build, what drizzle-kit compares the schema with, and gzip beside
 * Brotli.
 */
const NOT_COPIED = /\.built-from$|_snapshot\.json$|\.gz$|node_modules|package-lock\.json$/;

/**
 * Builds the package for other people’s repositories, with everything in it.
 * @returns the path of `orchestrate-x.y.z.tgz` in the folder
 */
export async function pack(folder = join(ROOT, 'dist')): Promise<string> {
  const staged = join(folder, 'package');
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { recursive: true });
  await buildClient();
  const imported = await bundle(ROOT, join(staged, 'dist'));
  for (const path of COPIED) {
    await cp(join(ROOT, path), join(staged, path), { recursive: true, filter: (file) => !NOT_COPIED.test(file) });
  }
  await cp(join(ROOT, 'scripts/pack/files'), staged, { recursive: true });
  await mkdir(join(staged, 'skills/orchestrate'), { recursive: true });
  await writeFile(join(staged, 'skills/orchestrate/SKILL.md'), skillFile());
  await adaptPages(staged);
  await bringSqlite(ROOT, staged);
  const description = describePackage(ROOT, imported);
  await writeFile(join(staged, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: staged, shell: process.platform === 'win32' };
  await promisify(execFile)(npm, ['pack', '--silent', '--pack-destination', folder], options);
  // The container image installs better-sqlite3 itself.
  await rm(join(staged, 'node_modules'), { recursive: true });
  return join(folder, `orchestrate-${description.version}.tgz`);
}

/**
 * Pages name decisions and code that only the workspace has, there with a link, in the package without; and commands as
 * they are called there (`ownCommand`).
 */
async function adaptPages(folder: string): Promise<void> {
  for (const page of globSync('**/*.md', { cwd: folder })) {
    const text = await readFile(join(folder, page), 'utf8');
    const adapted = text
      .replace(/\[([^\]]+)\]\((?![a-z]+:)([^)\s]+)\)/g, (link, words, to) => (isAlive(folder, page, to) ? link : words))
      .replace(/\bnpx -y pnpm@12 (?:orchestrate )?(start|setup|authenticator|replace-keys)\b/g, 'npx orchestrate $1');
    if (adapted !== text) await writeFile(join(folder, page), adapted);
  }
}

if (import.meta.main) console.log(await pack());
