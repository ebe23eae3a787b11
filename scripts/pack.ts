import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { assistantInstructions } from '@orchestrate/server/assistants';
import { parse } from 'yaml';
import { buildClient, MEANINGS_FILE } from './build.ts';
import { bundle, ENTRIES, OPTIONAL, PACKAGES } from './pack/bundle.ts';
import { LEGAL, thirdPartyNotices } from './pack/notices.ts';

/**
 * Files of each bundled package that run. better-sqlite3 comes with its binaries but without its build inputs: when
 * installing from a lockfile, npm builds anything with a `binding.gyp`, even though better-sqlite3 sets
 * `gypfile: false` (github.com/npm/cli/issues/9837).
 */
const RUNNING: Record<(typeof PACKAGES)[number], RegExp> = {
  'better-sqlite3': /^(?:lib|prebuilds)\//,
  '@img/sharp-wasm32': /^(?:lib\/|index\.cjs$|versions\.json$)/,
  '@emnapi/runtime': /^(?:index\.js|dist\/emnapi\.cjs(?:\.min)?\.js)$/,
  'xmllint-wasm': /^(?:index-node\.js|xmllint-node\.js|xmllint\.wasm)$/,
  '@authenio/samlify-xmllint-wasm': /^build\/(?:index\.js$|schemas\/)/,
};

/** Copies the packages that can't be bundled into the package, without files that never run. */
async function copyPackages(root: string, folder: string): Promise<void> {
  for (const name of PACKAGES) {
    const source = folderOf(root, name);
    const target = join(folder, 'node_modules', name);
    for (const file of globSync('**', { cwd: source, withFileTypes: true })) {
      const path = relative(source, join(file.parentPath, file.name)).replaceAll(sep, '/');
      if (file.isFile() && (RUNNING[name].test(path) || LEGAL.test(path)))
        await cp(join(source, path), join(target, path), { recursive: true });
    }
    // better-sqlite3 and emnapi need their dependencies only in other builds.
    const { dependencies: _, ...manifest } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
    await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
}

/** Returns the folder where pnpm installed a package for one of the workspace's packages. */
function folderOf(root: string, name: string): string {
  const folders = ['scripts', 'server'].map((workspace) => join(root, workspace, 'node_modules', name));
  const found = folders.find((folder) => existsSync(folder));
  if (!found) throw new Error(`scripts/package.json and server/package.json lack ${name}.`);
  return realpathSync(found);
}

/** Returns the package's `package.json`. */
function describePackage(root: string) {
  const own: { name: string; version: string; description: string; license: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const { catalog }: { catalog: Record<string, string> } = parse(
    readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'),
  );
  const versionOf = (name: string) => {
    const version = catalog[name];
    if (!version)
      throw new Error(`The package imports ${name}, which is missing from the catalog in pnpm-workspace.yaml.`);
    return version;
  };
  const exported = Object.keys(ENTRIES).map((name) => {
    const program = `./dist/${name}.js`;
    const required = { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` };
    return [`./${name}`, { require: required, types: `./dist/${name}.d.ts`, default: program }];
  });
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    type: 'module',
    engines: { node: '^22.14 || >=23.6' },
    bin: { orchestrate: 'bin/orchestrate.js' },
    // For compilers that ignore `exports` (`moduleResolution: node10`, common with ts-jest).
    typesVersions: { '*': Object.fromEntries(Object.keys(ENTRIES).map((name) => [name, [`./dist/${name}.d.ts`]])) },
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    dependencies: Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
    bundleDependencies: PACKAGES,
    peerDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, `>=${versionOf(name).split('.')[0]}`])),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  };
}

const CODE = /^```.*?^```|`[^`\n]+`/gms;
const LINK = /\]\(<?([^)>\s]+)>?[^)]*\)|(?:src|href)="([^"]+)"/g;
const ELSEWHERE = /^[a-z]+:/;

/**
 * Returns the pages' dead links as `page: link`. A link is dead if its file or heading is missing. External links are
 * not checked.
 * @param pages paths relative to the folder
 */
export function deadLinks(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').replace(CODE, '').matchAll(LINK)]
      .map(([, written, attribute]) => written ?? attribute ?? '')
      .filter((link) => !ELSEWHERE.test(link) && !isAlive(folder, page, link))
      .map((link) => `${page}: ${link}`),
  );
}

function isAlive(folder: string, page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(folder, page) : join(folder, dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || (statSync(target).isFile() && anchorsOf(target).has(decodeURIComponent(anchor)));
}

/** Returns the anchors of a page's headings, as GitHub generates them. */
function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/^```.*?^```/gms, '');
  const times = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(anchors);
}

/** Returns the skill for coding assistants that write tests in a repository depending on the package. */
export const skillFile = (): string => `---
name: orchestrate
description: Write tests of sign-ins, sessions, OpenID Connect, SAML and SCIM against the Orchestrate test double (npm package orchestrate). Use it if a repository depends on orchestrate, or if a test needs a user who approves or denies on a phone, an expired session, an invalid token, an error, or a broken network.
---

# Tests with Orchestrate

${assistantInstructions()}
## More

- \`docs/testing-a-client.md\` in the package: the guide, with curl and Python
- \`/openapi.json\` of a running portal: all endpoints; \`/api/lab/*\` are the controls
`;

const ROOT = join(import.meta.dirname, '..');

/** Paths to copy into the package. */
export const COPIED_PATHS = [
  'db/migrations',
  'web/dist',
  MEANINGS_FILE,
  'CHANGELOG.md',
  'LICENSE',
  'SUPPORTED.md',
  // The guide and the pages it links to.
  'docs/testing-a-client.md',
  'docs/contract.md',
  'docs/lab.md',
  'docs/result-codes.md',
  'docs/settings.md',
  'docs/webhooks.md',
  'examples',
];
/**
 * Files needed only in the workspace: build stamps, drizzle-kit snapshots, the gzip variants of Brotli files, and the
 * client's licences, which are part of `NOTICES`.
 */
const NOT_COPIED = /\.built-from$|_snapshot\.json$|\.gz$|node_modules|package-lock\.json$|\.vite[\\/]license\.md$/;
/** Leaves out files of the client that exist compressed: the server decompresses them if a browser needs that. */
const isPacked = (file: string): boolean =>
  !NOT_COPIED.test(file) && !(/[\\/]assets[\\/][^\\/]+$/.test(file) && existsSync(`${file}.br`));
const CLIENT_LICENSES = '.vite/license.md';
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/**
 * Builds the npm package.
 * @returns the path of `orchestrate-x.y.z.tgz` in `folder`
 */
export async function pack(folder = join(ROOT, 'dist')): Promise<string> {
  const staged = join(folder, 'package');
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { recursive: true });
  await buildClient();
  const bundled = await bundle(ROOT, join(staged, 'dist'));
  for (const path of COPIED_PATHS) {
    await cp(join(ROOT, path), join(staged, path), { recursive: true, filter: isPacked });
  }
  await cp(join(ROOT, 'scripts/pack/files'), staged, { recursive: true });
  await mkdir(join(staged, 'skills/orchestrate'), { recursive: true });
  await writeFile(join(staged, 'skills/orchestrate/SKILL.md'), skillFile());
  await adaptPages(staged);
  await copyPackages(ROOT, staged);
  const clientLicenses = await readFile(join(ROOT, 'web/dist', CLIENT_LICENSES), 'utf8');
  await writeFile(join(staged, NOTICES), thirdPartyNotices(bundled, clientLicenses));
  const files = (await readdir(staged)).filter((name) => name !== 'node_modules');
  const description = { ...describePackage(ROOT), files };
  await writeFile(join(staged, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: staged, shell: process.platform === 'win32' };
  await promisify(execFile)(npm, ['pack', '--silent', '--pack-destination', folder], options);
  return join(folder, `orchestrate-${description.version}.tgz`);
}

/**
 * Adapts pages to the package: removes links to files that exist only in the workspace, and replaces workspace
 * commands with the package's own (`ownCommand`).
 */
async function adaptPages(folder: string): Promise<void> {
  for (const page of globSync('**/*.md', { cwd: folder })) {
    const text = await readFile(join(folder, page), 'utf8');
    const adapted = text
      .replace(/\[([^\]]+)\]\((?![a-z]+:)([^)\s]+)\)/g, (link, words, to) => (isAlive(folder, page, to) ? link : words))
      .replace(
        /\bnpx -y pnpm@12 (?:orchestrate )?(start|setup|authenticator|backup|replace-keys)\b/g,
        'npx orchestrate $1',
      );
    if (adapted !== text) await writeFile(join(folder, page), adapted);
  }
}

if (import.meta.main) console.log(await pack());
