import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { readCommand } from '../authenticator/read-command.ts';
import { deadLinks, skillFile } from '../pack.ts';
import { createUserFolder, type UserFolder } from './install-examples.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const NODE_TYPES = join(ROOT, 'server/node_modules/@types');
const SKILL = 'skills/orchestrate/SKILL.md';
const PACKAGE_README = 'scripts/pack/files/README.md';
/**
 * Pages for portal users. guide.test.ts checks the lines in the guide, and scripts/links checks pages about the code.
 */
const GUIDE = 'docs/testing-a-client.md';
const documents = [
  'README.md',
  PACKAGE_README,
  GUIDE,
  ...['contract', 'lab', 'applications', 'settings', 'watching', 'compared', 'containers'].map(
    (name) => `docs/${name}.md`,
  ),
  ...globSync('examples/{,*/}README.md', { cwd: ROOT }),
];

interface Block {
  document: string;
  language: string;
  code: string;
}
const textOf = (document: string) => (document === SKILL ? skillFile() : read(document));
const blocks: Block[] = [...documents, SKILL].flatMap((document) =>
  [...textOf(document).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    document,
    language,
    code,
  })),
);
const inLanguage = (language: string) =>
  blocks.filter((block) => block.language === language && block.document !== GUIDE);

let folder: UserFolder;
let program: ChildProcess;
let portal: string;

// Needs only Node.js and npm, as the README promises.
beforeAll(async () => {
  folder = await createUserFolder();
  expect(await folder.run('npm', ['init', '-y'])).toMatchObject({ code: 0 });
  const install = ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund', inject('packageFile')];
  expect(await folder.run('npm', install)).toMatchObject({ code: 0 });
  const env = {
    ...process.env,
    NODE_ENV: '',
    LOG_LEVEL: 'error',
    PORT: '0',
    PUBLIC_URL: '',
    DATABASE_FILE: ':memory:',
  };
  const command = join('node_modules', 'orchestrate', 'bin', 'orchestrate.js');
  program = spawn(process.execPath, [command, 'start', '--json'], {
    cwd: folder.path,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stdout = program.stdout;
  if (!stdout) throw new Error('The portal has no output.');
  const [line] = await once(createInterface({ input: stdout }), 'line');
  portal = JSON.parse(String(line)).url;
});
afterAll(async () => {
  if (program?.exitCode === null) {
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
  await folder.remove();
});

test("runs the README's test in a folder with only the package installed", async () => {
  const [pasted] = inLanguage('js').filter(({ document }) => document === 'README.md');
  await folder.write('sign-in.test.mjs', pasted?.code ?? '');
  const { code, stdout, stderr } = await folder.run('node', ['--test']);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/pass 1\n/);
});

test("compiles the README's test as TypeScript", async () => {
  const [pasted] = inLanguage('js').filter(({ document }) => document === 'README.md');
  await folder.write('pasted.mts', pasted?.code ?? '');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const { stdout } = await folder.run('node', [TSC, ...options, '--typeRoots', NODE_TYPES, 'pasted.mts']);
  expect(stdout).toBe('');
});

test('runs every JavaScript sample unchanged', async () => {
  const samples = inLanguage('js');
  expect(samples.map(({ document }) => document)).toEqual(['README.md', PACKAGE_README, 'docs/lab.md']);
  // The package's README shows the same test, which has already run above.
  expect(samples[1]?.code).toBe(samples[0]?.code);
  await folder.write('sample.mjs', samples[2]?.code.replace('http://localhost:3000', portal) ?? '');
  const { code, stdout, stderr } = await folder.run('node', ['sample.mjs']);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/@acme\.test is signed in\n/);
});

/** Removes whitespace and trailing commas, which matter only to the formatter. */
const plain = (code: string) => code.replaceAll(/\s+/g, '').replaceAll(/,([}\])])/g, '$1');
const running = globSync('examples/*/*.ts', { cwd: ROOT }).map((file) => plain(read(file)));

test('includes the same assistant instructions in the package and on a running portal', async () => {
  const skill = readFileSync(join(folder.path, 'node_modules/orchestrate', SKILL), 'utf8');
  expect(skill).toMatch(/^---\nname: orchestrate\ndescription: [^\n]{50,1000}\n---\n/);
  const [, body = ''] = skill.split('## Rules');
  const served = await fetch(`${portal}/docs/llms.txt`).then((answer) => answer.text());
  expect(served).toContain(body.split('## More')[0]);
});

test("describes the fields in the package's API reference", async () => {
  const { components } = await fetch(`${portal}/openapi.json`).then((answer) => answer.json());
  const { email } = components.schemas.FaultMatch.properties;
  expect(email.description).toBe('Limits the fault to requests that this user sends or that name this user.');
});

test('takes every TypeScript sample from a running example', () => {
  const samples = inLanguage('ts');
  expect(samples.length).toBeGreaterThan(6);
  expect(samples.filter(({ code }) => !running.some((source) => source.includes(plain(code))))).toEqual([]);
});

test('takes every table line in both READMEs from a running example', () => {
  const lines = ['README.md', PACKAGE_README].flatMap((document) =>
    [...read(document).matchAll(/^\| [^|]+ \| `(await [^`]+)` \|$/gm)].map(([, code = '']) => code),
  );
  expect(lines.length).toBeGreaterThan(9);
  expect(lines.filter((code) => !running.some((source) => source.includes(plain(code))))).toEqual([]);
});

/** Returns what is wrong with a command on a page, or undefined. */
function problemOf(line: string): string | undefined {
  const command = line
    .replace(/\s+#.*$/, '')
    .replace(/^(?:[A-Z_]+=\S+ )+(?=np[mx] )/, '')
    .trim();
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
  const script = /^npx -y pnpm@12 (\S+)/.exec(command)?.[1];
  if (script !== undefined) return script in scripts ? undefined : `pnpm has no ${script}`;
  const packed = /^npm install --save-dev \S*\/(orchestrate-\S+\.tgz)$/.exec(command)?.[1];
  if (packed !== undefined)
    return inject('packageFile').endsWith(packed) ? undefined : `the package file isn't ${packed}`;
  const authenticator = /^npx orchestrate authenticator (.+)$/.exec(command)?.[1];
  if (authenticator !== undefined)
    return authenticator === '--help' || readCommand(authenticator.split(' ')) ? undefined : 'refused';
  const service = /^(?:\w+=\S+ )?docker compose (?:up(?: --detach)?$|(?:logs|exec|run --rm) (\S+))/.exec(command);
  if (service) {
    const inside = / \/nodejs\/bin\/node (\S+)/.exec(command)?.[1] ?? 'package.json';
    const { services } = parse(read('docker-compose.yml'));
    return (service[1] ?? 'portal') in services && existsSync(join(inject('packageFolder'), inside))
      ? undefined
      : 'the container has no such service or program';
  }
  const isKnown = [
    'npx orchestrate start',
    'npx orchestrate setup --help',
    'npx orchestrate backup copy.db',
    'npx orchestrate replace-keys --help',
    'npm install',
    'npm test',
    'node --test',
    'nginx -p . -c nginx.conf',
  ];
  return isKnown.includes(command) || /^(?:npx playwright install chromium$|openssl req )/.test(command)
    ? undefined
    : 'unknown command: check it and add it here';
}

test('finds every command named in the pages', () => {
  const lines = inLanguage('sh')
    // Tests below run the SCIM and configuration commands. The RADIUS and LDAP tests run their own commands.
    .filter(({ code }) => !/^(?:scim\(\)|curl -H|RADIUS_PORT=|LDAP_PORT=)/.test(code))
    .flatMap(({ document, code }) =>
      code
        .trim()
        .split('\n')
        .map((line) => ({ document, line })),
    );
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.map((one) => ({ ...one, problem: problemOf(one.line) })).filter(({ problem }) => problem)).toEqual([]);
  for (const [, script = ''] of read('README.md').matchAll(/^\| `npx -y pnpm@12 (\S+?)[ `]/gm)) {
    expect(JSON.parse(read('package.json')).scripts).toHaveProperty(script);
  }
  expect(parse(read('docker-compose.yml')).services).toHaveProperty('portal');
  // Every other language has a test above or in guide.test.ts, except for reverse proxy configurations.
  const proxies = ['caddyfile', 'nginx', 'yaml'];
  const languages = new Set(blocks.map(({ language }) => language));
  expect([...languages].sort()).toEqual(['', ...proxies, 'csv', 'js', 'json', 'python', 'sh', 'ts'].sort());
});

/** Returns a demo user's access token. */
async function tokenOf(email: string): Promise<string> {
  const session = await fetch(`${portal}/api/lab/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  return (await session.json()).token;
}

test('returns the error shown on the contract page', async () => {
  const shown = inLanguage('json').map(({ code }) => JSON.parse(code));
  const refused = await fetch(`${portal}/api/user/update`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf('user@acme.test')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ primaryAttr: 'E1', lastName: 'Ortiz', primaryEmail: 'user@acme.test' }),
  });
  expect(shown).toEqual([{ ...(await refused.json()), requestId: shown[0]?.requestId }]);
});

test('finds every person in the CSV file shown on the contract page', async () => {
  const [{ code } = { code: '' }] = inLanguage('csv');
  const form = new FormData();
  form.set('type', 'mobile');
  form.set('file', new File([code], 'people.csv'));
  const checked = await fetch(`${portal}/api/user/bulkinvite/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf('super.admin@acme.test')}` },
    body: form,
  });
  const { people } = await checked.json();
  expect(people.map(({ outcome, name }: { outcome: string; name: string }) => [outcome, name])).toEqual([
    ['new', 'Grace Hopper'],
    ['registered', expect.any(String)],
  ]);
});

test('runs the configuration commands unchanged', async () => {
  const [code = ''] = inLanguage('sh')
    .filter(({ document }) => document === 'docs/contract.md')
    .map((block) => block.code.replaceAll('http://localhost:3000', portal));
  const env = { TOKEN: await tokenOf('super.admin@acme.test') };
  const { code: ended, stdout, stderr } = await folder.run('bash', ['-ec', code], { env });
  expect(ended, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ resultCode: 0, from: 'acme', mistakes: [], changes: [] });
});

test('runs the SCIM commands unchanged', async () => {
  const { world } = await fetch(`${portal}/api/lab/world`).then((answer) => answer.json());
  const [acme] = world.organisations;
  const [lines = ''] = inLanguage('sh')
    .map(({ code }) => code)
    .filter((code) => code.startsWith('scim()'));
  const [, create = '', ...others] = lines.trim().split('\n');
  const script = [
    lines.split('\n')[0]?.replace('curl', 'curl -sS'),
    `id=$(${create} | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')`,
    ...others
      .map((line) => line.replace("'/Users/<id>'", '"/Users/$id"').replace('<id>', `'$id'`))
      .flatMap((line) => [line, 'echo']),
  ].join('\n');
  const written = script
    .replaceAll('<password>', acme.provisioning.password)
    .replaceAll('http://localhost:3000', portal);
  const { code, stdout, stderr } = await folder.run('bash', ['-ec', written]);
  expect(code, stderr).toBe(0);
  const [found, changed, group] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(found).toMatchObject({ totalResults: 1 });
  expect(changed).toMatchObject({ active: false });
  expect(group, JSON.stringify(group)).toMatchObject({ displayName: expect.any(String) });
});

test("finds every user from the README's table in the demo, with a phone", async () => {
  const { world } = await fetch(`${portal}/api/lab/world`).then((answer) => answer.json());
  interface Person {
    email: string;
    firstName: string;
    lastName: string;
    devices?: object[];
  }
  const people: Person[] = world.organisations.flatMap((organisation: { people: Person[] }) => organisation.people);
  const rows = [...read('README.md').matchAll(/^\| `(\S+@\S+)` \| ([^,|]+), /gm)];
  expect(rows.length).toBe(8);
  for (const [, email, name] of rows) {
    const found = people.filter((person) => person.email === email);
    expect(
      found.map(({ firstName, lastName }) => `${firstName} ${lastName}`),
      email,
    ).toContain(name);
    expect(
      found.some(({ devices = [] }) => devices.length > 0),
      email,
    ).toBe(true);
  }
});

test('finds no commands in the packaged pages that exist only in this repository', () => {
  const home = join(folder.path, 'node_modules/orchestrate');
  const pages = globSync('**/*.md', { cwd: home, exclude: (name) => name === 'node_modules' });
  const naming = pages.flatMap((page) =>
    [
      ...readFileSync(join(home, page), 'utf8').matchAll(
        /npx -y pnpm@12 \S+|pnpm (?:orchestrate|start|authenticator)/g,
      ),
    ].map(([command]) => `${page}: ${command}`),
  );
  expect(naming).toEqual([]);
  expect(readFileSync(join(home, 'docs/settings.md'), 'utf8')).toContain(
    '`npx orchestrate start --json` prints one line',
  );
});

test('finds no dead links in the packaged pages', () => {
  const home = join(folder.path, 'node_modules/orchestrate');
  const pages = globSync('**/*.md', { cwd: home, exclude: (name) => name === 'node_modules' });
  expect(pages.length).toBeGreaterThan(15);
  expect(deadLinks(home, pages)).toEqual([]);
});
