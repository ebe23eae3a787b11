import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { publint } from 'publint';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import {
  BARE_SECONDS,
  BARE_SERVER,
  CPU_REPORTING_ARGS,
  CPU_REPORTING_ARGS_WITHOUT_TIMERS,
  cpuTimeOf,
} from '../rigs/container/run-image.ts';
import { createUserFolder, type UserFolder } from './install-examples.ts';
import { LEGAL } from './notices.ts';

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const NODE_TYPES = join(import.meta.dirname, '../../server/node_modules/@types');

let folder: UserFolder;
const started: ChildProcess[] = [];

beforeAll(async () => {
  folder = await createUserFolder();
  await folder.write('package.json', '{ "name": "user-project", "private": true, "type": "module" }');
  const installed = await folder.run('npm', [
    'install',
    '--save-dev',
    '--no-audit',
    '--no-fund',
    inject('packageFile'),
  ]);
  expect(installed.code, installed.stderr).toBe(0);
});

afterEach(stopStarted);
afterAll(() => folder.remove());

async function stopStarted() {
  for (const portal of started.splice(0)) {
    if (portal.exitCode === null && portal.signalCode === null) {
      portal.kill('SIGKILL');
      await once(portal, 'exit');
    }
  }
}

/**
 * Starts a server with a folder as its working directory.
 * @param node arguments for Node.js
 * @returns its process, its readiness line, and its output so far
 */
async function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv, node: readonly string[] = []) {
  const program = spawn(process.execPath, [...node, ...args], {
    cwd,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  started.push(program);
  if (!program.stdout) throw new Error('The process has no stdout.');
  const printed = createInterface({ input: program.stdout });
  const lines: string[] = [];
  printed.on('line', (line) => lines.push(line));
  const [line] = await once(printed, 'line');
  return { program, line: String(line), lines };
}

const isAnswered = (health: string) =>
  fetch(health).then(
    () => true,
    () => false,
  );

/** Runs a module and returns its output. Fails the test if the module fails. */
async function runModule(text: string, file = 'program.mjs'): Promise<string> {
  await folder.write(file, text);
  const { code, stdout, stderr } = await folder.run('node', [file]);
  expect(code, stderr).toBe(0);
  expect(stderr).toBe('');
  return stdout.trim();
}

test('installs without patches or install scripts, including from a lockfile', async () => {
  const lock: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(
    readFileSync(join(folder.path, 'package-lock.json'), 'utf8'),
  );
  const withScript = Object.keys(lock.packages).filter((name) => lock.packages[name]?.hasInstallScript);
  expect(withScript).toEqual([]);
  const again = await folder.run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--foreground-scripts']);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout + again.stderr).not.toContain('gyp');
});

/** Returns the size of a folder's files, in MB. */
function megabytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0) / 1e6;
}

test('installs at most 25 packages with 40 MB, and downloads none of them separately', async () => {
  const lock: { packages: Record<string, { inBundle?: boolean }> } = JSON.parse(
    readFileSync(join(folder.path, 'package-lock.json'), 'utf8'),
  );
  const { '': _, 'node_modules/orchestrate': __, ...others } = lock.packages;
  expect(Object.keys(others).length).toBeLessThan(25);
  expect(Object.values(others).filter(({ inBundle }) => !inBundle)).toEqual([]);
  expect(megabytesOf(join(folder.path, 'node_modules'))).toBeLessThan(40);
});

test('includes its licence and those of all third-party code', () => {
  const home = inject('packageFolder');
  expect(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).license).toBe('MIT');
  expect(readFileSync(join(home, 'LICENSE'), 'utf8')).toMatch(
    /^MIT License\n\nCopyright \(c\) the Orchestrate authors\n/,
  );
  const notices = readFileSync(join(home, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['fastify', 'zod', 'samlify', 'sharp', 'drizzle-orm'])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  for (const name of ['react', '@fontsource-variable/inter'])
    expect(notices).toMatch(new RegExp(`^## ${name} - \\d`, 'm'));
  const unlicensed = [...notices.matchAll(/^(\S+) \d\S*: undefined$/gm)].map(([, name]) => name);
  expect(unlicensed).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const legal = Object.keys(dependencies).map((name) => readdirSync(join(home, 'node_modules', name)));
  expect(legal.filter((files) => !files.some((file) => LEGAL.test(file)))).toEqual([]);
});

test('passes publint and arethetypeswrong', async () => {
  const linted = await publint({ pkgDir: inject('packageFolder'), level: 'suggestion', strict: true });
  expect(linted.messages).toEqual([]);
  const command = createRequire(import.meta.url)
    .resolve('@arethetypeswrong/cli/package.json')
    .replace(/package\.json$/, 'dist/index.js');
  const { code, stdout, stderr } = await folder.run('node', [
    command,
    inject('packageFile'),
    '--format',
    'ascii',
    '--no-emoji',
    '--no-color',
  ]);
  expect(code, stdout + stderr).toBe(0);
});

/** Uploads all files of the folder `uploads` as logos and prints the replies by file name. */
const UPLOADS = `
  const { token } = await portal.session({ email: 'security.admin@acme.test' });
  const replies = {};
  for (const name of readdirSync(uploads).sort()) {
    const body = new FormData();
    body.append('file', new File([readFileSync(uploads + '/' + name)], name));
    replies[name] = await portal.call(contract.checkLogo, { body }, { token }).catch(({ message }) => message);
  }
  await portal.close();
  console.log(JSON.stringify(replies));`;

test('sanitises uploaded images exactly as the workspace does', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const picture = () => sharp({ create: { width: 48, height: 32, channels: 3, background: '#000', noise } });
  const uploads = join(folder.path, 'uploads');
  await folder.run('bash', ['-c', 'mkdir uploads']);
  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
    const upright = await picture()
      .withExif({ IFD0: { Copyright: 'Acme' } })
      .toFormat(format)
      .toBuffer();
    const sideways = await picture().withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
    writeFileSync(join(uploads, `upright.${format}`), upright);
    writeFileSync(join(uploads, `sideways.${format}`), sideways);
    writeFileSync(join(uploads, `damaged.${format}`), upright.subarray(0, upright.length / 2));
  }
  const frames = await Promise.all([picture().png().toBuffer(), picture().png().toBuffer()]);
  for (const format of ['gif', 'webp'] as const)
    writeFileSync(
      join(uploads, `moving.${format}`),
      await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer(),
    );
  const lossless = await picture().withMetadata({ orientation: 8 }).webp({ lossless: true }).toBuffer();
  writeFileSync(join(uploads, 'lossless.webp'), lossless);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image width="9" height="9" href="data:image/webp;base64,${lossless.toString('base64')}"/></svg>`;
  writeFileSync(join(uploads, 'drawing.svg'), svg);
  const head = (modules: Record<'contract' | 'testing', string>) => `
    import { readdirSync, readFileSync } from 'node:fs';
    import { contract } from '${modules.contract}';
    import { startPortal } from '${modules.testing}';
    const uploads = ${JSON.stringify(uploads)};
    const portal = await startPortal();`;
  const packaged = JSON.parse(
    await runModule(head({ contract: 'orchestrate/contract', testing: 'orchestrate/testing' }) + UPLOADS),
  );
  const sources = {
    contract: join(import.meta.dirname, '../../shared/src/index.ts'),
    testing: join(import.meta.dirname, '../../server/src/testing-api/index.ts'),
  };
  const own = JSON.parse(await runModule(head(sources) + UPLOADS));
  expect(Object.keys(own).length).toBe(16);
  const isGif = (name: string) => name.endsWith('.gif') && own[name].logo !== undefined;
  const withoutGifs = (replies: Record<string, object>) =>
    Object.fromEntries(Object.entries(replies).map(([name, one]) => [name, isGif(name) ? { ...one, logo: '' } : one]));
  expect(withoutGifs(packaged)).toEqual(withoutGifs(own));
  // The package's WebAssembly and the workspace's native code round differently, so a GIF's 256 colours can differ.
  for (const name of Object.keys(own).filter(isGif)) {
    const [theirs, ours] = await Promise.all([pixelsOf(packaged[name].logo), pixelsOf(own[name].logo)]);
    expect(theirs.info).toEqual(ours.info);
    const difference = theirs.data.reduce((sum, value, at) => sum + Math.abs(value - (ours.data[at] ?? 0)), 0);
    expect(difference / ours.data.length).toBeLessThan(2);
  }
});

const pixelsOf = (logo: string) =>
  sharp(Buffer.from(logo.split(',')[1] ?? '', 'base64'), { animated: true })
    .raw()
    .toBuffer({ resolveWithObject: true });

test.each(['SIGTERM', 'SIGKILL'] as const)('leaves no private key behind with `TLS=on` after %s', async (signal) => {
  const command = join(folder.path, 'node_modules', 'orchestrate', 'bin', 'orchestrate.js');
  const nothing = await createUserFolder();
  const env = { PORT: '0', TLS: 'on', DATABASE_FILE: ':memory:', TMPDIR: nothing.path };
  const { program, line } = await start([command, 'start', '--json'], nothing.path, env);
  expect(JSON.parse(line).url).toMatch(/^https:/);
  program.kill(signal);
  await once(program, 'exit');
  const files = readdirSync(nothing.path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const secret = files.filter((file) => readFileSync(join(file.parentPath, file.name), 'utf8').includes('PRIVATE KEY'));
  expect(secret.map(({ name }) => name)).toEqual([]);
  if (signal === 'SIGTERM') expect(files).toEqual([]);
  await nothing.remove();
});

test('`orchestrate/testing` starts a portal and its client, and close() leaves nothing running', async () => {
  const printed = await runModule(`
    import { startPortal } from 'orchestrate/testing';
    import { contract } from 'orchestrate/contract';
    const resources = () => process.getActiveResourcesInfo().sort().join();
    // Reading isTTY opens the streams, so that both counts include them.
    for (const stream of [process.stdout, process.stderr]) stream.isTTY;
    const before = resources();
    {
      await using portal = await startPortal();
      const page = await fetch(new URL('/acme/sign-in', portal.url)).then((answer) => answer.text());
      const { email } = await portal.person({ org: 'acme' });
      const { token } = await portal.session({ email });
      const { profile } = await portal.call(contract.getProfile, {}, { token });
      await using space = await portal.space();
      console.log(page.includes('<div id="root">'), profile.email === email, space.url !== portal.url);
    }
    // The resources of a closed connection are released some ticks later.
    for (let turn = 0; turn < 50 && resources() !== before; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    console.log(resources() === before || resources());
  `);
  expect(printed).toBe('true true true\ntrue');
});

test("works in the same process as a test runner's fake timers", async () => {
  const printed = await runModule(`
    import { mock } from 'node:test';
    import { contract, loginLive } from 'orchestrate/contract';
    import { startPortal } from 'orchestrate/testing';
    const portal = await startPortal();
    mock.timers.enable();
    const { email } = await portal.person({ org: 'acme' });
    await portal.session({ email });
    await portal.policy({ match: { email }, answer: 'approve', afterMs: 20 });
    const { loginId } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: email } });
    const live = await portal.open(loginLive, { loginId });
    let state;
    while (state !== 'success') ({ state } = await live.next());
    await portal.fault({ match: { path: '/api/health' }, answer: { status: 503 } });
    console.log(await portal.call(contract.health, {}).catch(({ status }) => status));
    await (await portal.space()).close();
    mock.timers.reset();
    await portal.close();
  `);
  expect(printed).toBe('503');
});

test('contains no build-machine paths, and reports its version', async () => {
  const root = join(import.meta.dirname, '../..');
  const files = readdirSync(inject('packageFolder'), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  expect(files.length).toBeGreaterThan(50);
  const naming = files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(root));
  expect(naming.map(({ name }) => name)).toEqual([]);
  const command = join('node_modules', 'orchestrate', 'bin', 'orchestrate.js');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await folder.run('node', [command, '--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test('contains no asset URLs that Vite would rewrite (`server.deps.inline`)', () => {
  const folder = inject('packageFolder');
  const programs = ['bin', 'dist'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(folder, part, file)),
  );
  expect(programs.length).toBeGreaterThan(50);
  const rewritten = /new URL\(\s*['"`][^)]*import\.meta\.url/;
  expect(programs.filter((file) => rewritten.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('contains the guide and the pages it links to', () => {
  const docs = join(folder.path, 'node_modules/orchestrate/docs');
  const guide = readFileSync(join(docs, 'testing-a-client.md'), 'utf8');
  const links = [...guide.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((to) => !existsSync(join(docs, to)))).toEqual([]);
});

test('CommonJS code can `require` the same exports', async () => {
  const printed = await runModule(
    `const { startPortal } = require('orchestrate/testing');
     startPortal().then((portal) => { console.log(typeof portal.person); return portal.close(); });`,
    'program.cjs',
  );
  expect(printed).toBe('function');
});

test('works without `require` of ES modules, as in older Jest and Vitest’s `vmThreads`', async () => {
  await folder.write(
    'program.mjs',
    `import { contract } from 'orchestrate/contract';
     import { startPortal } from 'orchestrate/testing';
     const portal = await startPortal();
     const { token } = await portal.session({ email: 'super.admin@acme.test' });
     const { categories } = await portal.call(contract.getFaq, {}, { token });
     const [{ subcategoryId }] = categories[0].subcategories;
     const body = { subcategoryId, question: 'Is it safe?', answer: '<p>Yes<script>alert(1)</script></p>', position: 1 };
     console.log((await portal.call(contract.saveFaqRecord, { body }, { token })).answer);
     await portal.close();`,
  );
  const { code, stdout, stderr } = await folder.run('node', ['--no-experimental-require-module', 'program.mjs']);
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('<p>Yes</p>\n');
});

test.each([
  [
    '--no-experimental-require-module',
    '',
    "orchestrate/testing is an ES module. Run Jest with NODE_OPTIONS=--experimental-vm-modules; before Node.js 24.9 also use `await import('orchestrate/testing')` instead of `require`.",
  ],
  [
    '--no-warnings',
    'delete globalThis.TextDecoder;',
    "orchestrate/testing needs TextDecoder, which Jest's jsdom lacks: set testEnvironment to jest-fixed-jsdom.",
  ],
])('explains what to do if CommonJS cannot load the package (%s %s)', async (flag, before, sentence) => {
  await folder.write('program.cjs', `${before} require('orchestrate/testing');`);
  const { code, stderr } = await folder.run('node', [flag, 'program.cjs']);
  expect(code).toBe(1);
  expect(stderr).toContain(`Error: ${sentence}\n`);
});

test('explains what to do if the package would load a second copy, as with tsx in CommonJS', async () => {
  const printed = await runModule(`
    import { registerHooks } from 'node:module';
    import { startPortal } from 'orchestrate/testing';
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        return found.url.startsWith('file:') ? { ...found, url: found.url + '?again' } : found;
      },
    });
    const portal = await startPortal().catch(({ message }) => console.log(message));
    await portal?.close();
  `);
  expect(printed).toBe(
    "orchestrate/testing is loaded twice, as with tsx in CommonJS or with Jest's resetModules. Write `await import('orchestrate/testing')` right before startPortal, or start the portal in globalSetup and use connectPortal({ url }) here.",
  );
});

test('`orchestrate/authenticator` can be used as a phone', async () => {
  const printed = await runModule(`
    import { startPortal } from 'orchestrate/testing';
    import { createAuthenticator } from 'orchestrate/authenticator';
    await using portal = await startPortal();
    console.log(Object.keys(createAuthenticator({ baseUrl: portal.url, now: Date.now })).includes('respond'));
  `);
  expect(printed).toBe('true');
});

test('provides types for every entry point under a strict compiler', async () => {
  await folder.write(
    'typed.ts',
    `import { contract, type ReplyOf } from 'orchestrate/contract';
     import { type Portal, startPortal } from 'orchestrate/testing';
     import { createAuthenticator } from 'orchestrate/authenticator';
     export async function use(): Promise<string> {
       await using portal: Portal = await startPortal({ seed: 'none' });
       const person: ReplyOf<typeof contract.makePerson> = await portal.person({ org: 'acme' });
       // @ts-expect-error Unknown answer.
       await portal.policy({ match: { email: person.email }, answer: 'perhaps' });
       // @ts-expect-error Has no query.
       const health = () => portal.call(contract.health, { query: { deep: true } });
       // @ts-expect-error Has only parameters.
       const state = () => portal.call(contract.loginState, { params: { loginId: '' }, body: {} });
       // @ts-expect-error Has only a body.
       const login = () => portal.call(contract.login, { params: {}, body: { orgCode: 'acme', mode: 'QID' } });
       const wide = { query: { suid: '' }, body: {} };
       // @ts-expect-error Has only a query.
       const user = () => portal.call(contract.getUser, wide);
       createAuthenticator({ baseUrl: portal.url, now: Date.now });
       return [health, state, login, user].join() + person.email;
     }`,
  );
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,esnext.disposable,dom',
  ];
  const types = ['--types', 'node', '--typeRoots', NODE_TYPES];
  const { stdout } = await folder.run('node', [TSC, ...options, ...types, 'typed.ts']);
  expect(stdout).toBe('');
});

test.each(['node16', 'nodenext'])('compiles and runs from CommonJS TypeScript with `module: %s`', async (module) => {
  await folder.write(
    'typed.cts',
    `import { contract, type ReplyOf } from 'orchestrate/contract';
     import { NotVerified, type Portal, startPortal } from 'orchestrate/testing';
     import authenticator = require('orchestrate/authenticator');
     export const key = authenticator.createDeviceKey();
     async function use(): Promise<void> {
       const portal: Portal = await startPortal({ seed: 'none' });
       const health: ReplyOf<typeof contract.health> = await portal.call(contract.health, {});
       await portal.verify({ path: '/health', count: 2 }).catch((reason: unknown) => {
         console.log(health.status, reason instanceof NotVerified);
       });
       await portal.close();
     }
     void use();`,
  );
  const options = ['--strict', '--module', module, '--target', 'es2024', '--lib', 'es2024,esnext.disposable,dom'];
  const types = ['--types', 'node', '--typeRoots', NODE_TYPES];
  const { stdout } = await folder.run('node', [TSC, ...options, ...types, 'typed.cts']);
  expect(stdout).toBe('');
  expect((await folder.run('node', ['typed.cjs'])).stdout).toBe('ok true\n');
});

test('provides types for compilers in non-strict mode and without `exports` support', async () => {
  await folder.write(
    'loose.ts',
    `import { contract } from 'orchestrate/contract';
     import { startPortal } from 'orchestrate/testing';
     export async function use(): Promise<string> {
       const portal = await startPortal({ seed: 'none' });
       const { loginId } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
       await portal.call(contract.getProfile, {}, { token: '' });
       return (await portal.call(contract.loginState, { params: { loginId } })).state;
     }`,
  );
  const options = ['--noEmit', '--strict', 'false', '--module', 'nodenext', '--target', 'es2024'];
  const types = ['--types', 'node', '--typeRoots', NODE_TYPES];
  expect((await folder.run('node', [TSC, ...options, ...types, 'loose.ts'])).stdout).toBe('');

  const { exports, typesVersions } = JSON.parse(
    readFileSync(join(folder.path, 'node_modules/orchestrate/package.json'), 'utf8'),
  );
  const { './package.json': _, ...entries } = exports;
  const declared = Object.entries<{ types: string }>(entries).map(([name, { types }]) => [name.slice(2), [types]]);
  expect(typesVersions).toEqual({ '*': Object.fromEntries(declared) });
});

test.each(['20.19.0', '22.13.1', '23.5.0'])(
  'rejects Node.js %s with a one-sentence error, in the command and every entry point',
  async (version) => {
    await folder.write('old.mjs', `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
    const needed = `Orchestrate needs Node.js 22.14, 23.6 or newer, but this is ${version}.`;
    const sentence = `${needed} To use a newer version in this project only, run npm install --save-dev node@24 and use \`npx node\` instead of \`node\`.`;
    const command = join('node_modules', 'orchestrate', 'bin', 'orchestrate.js');
    const started = await folder.run('node', ['--import', './old.mjs', command, 'start', '--help']);
    expect(started).toMatchObject({ code: 1, stdout: '', stderr: `${sentence}\n` });
    for (const entry of ['testing', 'authenticator', 'contract']) {
      await folder.write('program.mjs', `import 'orchestrate/${entry}';`);
      const imported = await folder.run('node', ['--import', './old.mjs', 'program.mjs']);
      expect(imported.stderr, entry).toContain(`Error: ${sentence}`);
    }
  },
);

test('runs on the oldest supported Node.js', async () => {
  const { engines } = JSON.parse(readFileSync(join(folder.path, 'node_modules/orchestrate/package.json'), 'utf8'));
  const [oldest] = String(engines.node).match(/\d+\.\d+/) ?? [];
  const install = ['install', '--prefix', 'oldest', '--prefer-offline', '--no-audit', '--no-fund', `node@${oldest}.0`];
  const installed = await folder.run('npm', install);
  expect(installed.code, installed.stderr).toBe(0);
  await folder.write(
    'program.mjs',
    `import { startPortal } from 'orchestrate/testing';
     const portal = await startPortal();
     console.log(process.version, (await portal.person({ org: 'acme' })).email);
     await portal.close();`,
  );
  const { code, stdout, stderr } = await folder.run('bash', ['-c', 'oldest/node_modules/.bin/node program.mjs']);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(`v${oldest}.0 `);
});

test('acceptance 12: npx starts in < 2 s with demo data and prints one JSON line with URLs', async () => {
  const command = join(folder.path, 'node_modules', 'orchestrate', 'bin', 'orchestrate.js');
  await folder.write('bare.mjs', BARE_SERVER);
  const times = { portal: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
  // Three runs each, alternating. The fastest run counts.
  for (let round = 0; round < 3; round += 1) {
    const bare = await start([join(folder.path, 'bare.mjs')], folder.path, { PORT: '0' }, CPU_REPORTING_ARGS);
    expect((await fetch(JSON.parse(bare.line).health)).status).toBe(200);
    times.bare = Math.min(times.bare, await cpuTimeOf(bare.program));

    const nothing = await createUserFolder();
    const args = [command, 'start', '--json'];
    const { program, line, lines } = await start(args, nothing.path, { PORT: '0' }, CPU_REPORTING_ARGS_WITHOUT_TIMERS);
    const { url, health, pid } = JSON.parse(line);
    expect({ url, health, pid }).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      health: `${url}/health`,
      pid: program.pid,
    });
    const answered = await fetch(health);
    expect({ status: answered.status, body: await answered.json() }).toEqual({
      status: 200,
      body: { resultCode: 0, status: 'ok' },
    });
    times.portal = Math.min(times.portal, await cpuTimeOf(program));
    const phones = await fetch(`${url}/api/lab/virtual-devices?orgCode=acme`).then((answer) => answer.json());
    expect(JSON.stringify(phones)).toContain('user@acme.test');
    await stopStarted();
    expect(lines).toEqual([line]);
    await nothing.remove();
  }
  expect((times.portal / times.bare) * BARE_SECONDS).toBeLessThan(2);
});

/** Starts a portal through another program, as users do. */
async function startBy(command: string, args: readonly string[], path = process.env.PATH) {
  const program = spawn(command, args, {
    cwd: folder.path,
    env: { PATH: path, LOG_LEVEL: 'error', PORT: '0', DATABASE_FILE: ':memory:' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(program);
  for await (const line of createInterface({ input: program.stdout })) {
    if (line.startsWith('{')) return { program, ...(JSON.parse(line) as { health: string; pid: number }) };
  }
  throw new Error('The portal exited before it was ready.');
}

test.each([
  ['npx', 'SIGTERM', 'npx', ['orchestrate', 'start', '--json']],
  ['npx', 'SIGHUP', 'npx', ['orchestrate', 'start', '--json']],
  ['npx', 'SIGKILL', 'npx', ['orchestrate', 'start', '--json']],
  ['a script that calls npx', 'SIGTERM', 'npm', ['run', 'nested']],
  ['a script that calls npx', 'SIGKILL', 'npm', ['run', 'nested']],
] as const)('exits when its parent (%s) is killed with %s', async (_, signal, command, args) => {
  await folder.run('npm', ['pkg', 'set', 'scripts.nested=npm --version && npx orchestrate start --json 2>&1']);
  const { program, health, pid } = await startBy(command, args);
  try {
    program.kill(signal);
    await expect.poll(() => isAnswered(health)).toBe(false);
  } finally {
    if (await isAnswered(health)) process.kill(pid, 'SIGKILL');
  }
});

test.runIf(existsSync('/proc/self/stat'))('exits together with npx even without `ps`, as in slim images', async () => {
  const bare = join(folder.path, 'bare');
  await folder.run('bash', [
    '-c',
    'mkdir bare && for each in node npm npx sh; do ln -s "$(command -v $each)" bare/; done',
  ]);
  const { program, health, pid } = await startBy(join(bare, 'npx'), ['orchestrate', 'start', '--json'], bare);
  try {
    program.kill('SIGKILL');
    await expect.poll(() => isAnswered(health)).toBe(false);
  } finally {
    if (await isAnswered(health)) process.kill(pid, 'SIGKILL');
  }
});

test('keeps running after the script that started the portal in the background exits', async () => {
  await folder.run('npm', ['pkg', 'set', 'scripts.portal=orchestrate start --json &']);
  const { program, health, pid } = await startBy('npm', ['run', 'portal']);
  try {
    if (program.exitCode === null) await once(program, 'exit');
    const looked = performance.now() + 1_500;
    await expect.poll(() => isAnswered(health).then((is) => is && performance.now() > looked)).toBe(true);
  } finally {
    process.kill(pid, 'SIGTERM');
  }
});

test('`orchestrate start`, `setup` and `authenticator` work from an empty folder', async () => {
  const command = join('node_modules', 'orchestrate', 'bin', 'orchestrate.js');
  const orchestrate = (...args: string[]) => folder.run('node', [command, ...args]);
  expect(await orchestrate('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('orchestrate setup') });
  const refused = await orchestrate('strat');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown command strat.') });
  const help = await orchestrate('start', '--help');
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: npx orchestrate start \[--json\]/) });
  const [, settings = ''] = /^Each setting is described in (.+)\.$/m.exec(help.stdout) ?? [];
  expect(readFileSync(resolve(folder.path, settings), 'utf8')).toContain('| `PORT`, `HOST` |');
  const replace = await orchestrate('replace-keys', '--help');
  expect(replace).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: npx orchestrate replace-keys') });
  const port = await orchestrate('start', '--port', '4000');
  expect(port).toMatchObject({ code: 1, stderr: expect.stringContaining('Set the environment variable PORT.') });

  const portal = await start([command, 'start', '--json'], folder.path, { PORT: '0', SEED: 'none' });
  const { url, setupCode } = JSON.parse(portal.line);
  const options = ['--url', url, '--file', 'phones/devices.json'];
  const person = ['--email', 'grace@initech.test', '--first', 'Grace', '--last', 'Hopper'];
  const setup = await orchestrate('setup', '--code', setupCode, '--org', 'initech', ...person, ...options);
  expect(setup, setup.stderr).toMatchObject({ code: 0 });
  const listed = await orchestrate('authenticator', 'list', ...options);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('grace@initech.test') });
  expect(existsSync(join(folder.path, 'data', 'orchestrate.db'))).toBe(true);
  // Git must ignore these files, because they contain keys and secrets.
  expect(existsSync(join(folder.path, 'phones', 'devices.json'))).toBe(true);
  const committed = await folder.run('bash', ['-c', 'git init -q . && git status --porcelain -uall data phones']);
  expect(committed).toMatchObject({ code: 0, stdout: '' });
});
