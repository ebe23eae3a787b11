import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  addDevice,
  addDeviceLive,
  appEnvOf,
  codeOf,
  getUser,
  LIMITS,
  login,
  loginState,
  manageDevice,
  qrAddress,
  regenerateActivationCode,
  startVerbal,
  testDevice,
} from '@orchestrate/shared';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runAuthenticator } from './run-authenticator.ts';

const PROGRAM = join(import.meta.dirname, '../authenticator.ts');
const USER = 'user@acme.test';

let portal: TestPortal;
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'authenticator-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  // Expires requests left open by a test. Otherwise, the next test's device would receive them.
  portal.clock.advance(LIMITS.loginLifetimeSeconds + 1);
  rmSync(folder, { recursive: true, force: true });
});

const surroundings = () => ({ ...process.env, PUBLIC_URL: portal.url, XDG_DATA_HOME: folder, LAB_TOKEN: '' });

/** Starts the program in its own process. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: surroundings(), stdio: 'pipe' });
  running.push(child);
  if (args[0] !== 'watch') child.stdin.end();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** Returns the next line of `--json` output. */
  const nextLine = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The program ended: ${(await ended).stderr}`);
    return JSON.parse(value);
  };
  return { child, ended, nextLine };
}

/** Runs a command in this process, because starting the program takes longer than most commands. */
const run = (...args: string[]) => runWith({}, ...args);

async function runWith(env: Record<string, string>, ...args: string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const code = await runAuthenticator(args, { stdin, stdout, stderr, env: { ...surroundings(), ...env } });
  return { code, stdout: await textOf(stdout.end()), stderr: await textOf(stderr.end()) };
}

const accountFile = () => join(folder, 'orchestrate', 'authenticator.json');

async function beginSignIn(mode: 'QID' | 'DID' | 'PUSH') {
  const primaryAttr = mode === 'PUSH' ? { primaryAttr: USER } : {};
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode, ...primaryAttr } });
  const { loginId = '', qid = '', did = '', matchNumber = '' } = body;
  const state = async () => (await portal.call(loginState, { params: { loginId } })).body.state;
  return { qid, did, matchNumber, state };
}

const qrOf = (qidCode: string) =>
  qrAddress(`${portal.url}/authenticator`, { kind: 'sign-in', orgCode: 'acme', qidCode }, appEnvOf('localhost'));

test('setup creates the first administrator of an empty portal with this device as their phone', async () => {
  const empty = await testPortal({ seed: 'none' });
  const { setupCode } = empty.deps;
  const person = ['--email', 'bill@initech.test', '--first', 'Bill', '--last', 'Lumbergh'];
  const options = ['setup', '--code', setupCode, '--org', 'initech', '--called', 'Initech', ...person];
  const { code, stdout } = await start(...options, '--url', empty.url, '--json').ended;
  expect({ code, output: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    output: { event: 'registered', orgName: 'Initech', email: 'bill@initech.test' },
  });
  expect((await start(...options, '--url', empty.url, '--json').ended).code).toBe(1);
  await empty.close();
});

test('setup has its own help page with only its options', async () => {
  const { code, stdout } = await run('setup', '--help');
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: npx -y pnpm@12 orchestrate setup --code CODE --org CODE');
  const named = new Set([...stdout.matchAll(/--([a-z]+)/g)].map(([, option = '']) => option));
  const person = ['code', 'org', 'email', 'first', 'last'];
  const others = ['called', 'color', 'name', 'url', 'file', 'json', 'help'];
  expect([...named].sort()).toEqual([...person, ...others].sort());
});

test('lists the commands in the help and explains usage errors, each with its exit code', async () => {
  const help = await start('--help').ended;
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('activate --org CODE');

  for (const [args, complaint] of [
    [['dance'], 'Unknown command "dance".'],
    [['approve', '--as', USER], 'approve requires a code, the address of a QR code or --pending.'],
    [['list', '--as', 'nobody@acme.test'], 'No demo user with the email nobody@acme.test'],
    [['approve', '--pending'], 'No device is stored here'],
  ] as const) {
    const { code, stderr, stdout } = await run(...args);
    expect(stderr).toContain(complaint);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }
});

test('approves the sign-in behind a QR code as a seeded user', { tags: 'whole' }, async () => {
  const { qid, state } = await beginSignIn('QID');

  const { code, stdout } = await run('approve', qrOf(qid), '--as', USER);

  expect(stdout).toMatch(/^Approved by user@acme\.test \(.+, Acme Corporation\): Sign in to /);
  expect(code).toBe(0);
  expect(await state()).toBe('success');
});

test('selects the organisation from the QR code or --org for a user in two organisations', async () => {
  const NOA = 'noa.berg@consulting.test';
  const { qid, state } = await beginSignIn('QID');
  expect(await run('approve', qrOf(qid), '--as', NOA)).toMatchObject({ code: 0, stderr: '' });
  expect(await state()).toBe('success');
  const typed = await beginSignIn('DID');
  const { code, stderr } = await run('approve', typed.did, '--as', NOA);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`${NOA} has devices in acme and globex. Choose an organisation with --org.`),
  });
  expect(await run('approve', typed.did, '--as', NOA, '--org', 'acme')).toMatchObject({ code: 0, stderr: '' });
  expect(await typed.state()).toBe('success');
});

test('accepts a lowercase code split into two halves and denies it with a reason', async () => {
  const { did, state } = await beginSignIn('DID');
  const written = `${did.slice(0, 4)} ${did.slice(4)}`.toLowerCase();

  const { code, stdout } = await run('deny', written, '--reason', 'not-me', '--as', USER, '--json');

  expect(JSON.parse(stdout)).toMatchObject({ event: 'answered', resultCode: 0, decision: 'deny', reason: 'not-me' });
  expect(code).toBe(0);
  expect(await state()).toBe('rejected');
});

test('requires the number shown in the browser to approve a push sign-in', async () => {
  const { matchNumber, state } = await beginSignIn('PUSH');

  const without = await run('approve', '--pending', '--as', USER);
  expect(without.stderr).toContain('Pass the number shown in the browser: --number ');
  expect(without.code).toBe(2);
  expect(await state()).toBe('pending');

  const right = await run('approve', '--pending', '--number', matchNumber, '--as', USER);
  expect(right.code).toBe(0);
  expect(await state()).toBe('success');

  const again = await run('approve', '--pending', '--as', USER);
  expect(again).toMatchObject({ code: 4, stdout: '' });
  expect(again.stderr).toContain('No pending requests for user@acme.test');
});

test('rejects a wrong number before sending it and reports an expired code', async () => {
  const push = await beginSignIn('PUSH');
  const wrong = await run('approve', '--pending', '--number', '00', '--as', USER);
  expect(wrong.code).toBe(2);
  expect(await push.state()).toBe('pending');
  await run('deny', '--pending', '--as', USER);
  expect(await push.state()).toBe('rejected');

  const { qid } = await beginSignIn('QID');
  portal.clock.advance(121);
  const late = await run('approve', qrOf(qid), '--as', USER, '--json');
  expect(JSON.parse(late.stdout)).toMatchObject({
    event: 'refused',
    resultCode: codeOf('EXPIRED'),
    resultName: 'EXPIRED',
  });
  expect(late.code).toBe(1);
});

test('completes a device test', async () => {
  const { token } = await portal.signIn(USER);
  const { body } = await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token });
  const address = qrAddress(`${portal.url}/authenticator`, {
    kind: 'test-device',
    orgCode: 'acme',
    qidCode: body.qid,
  });

  const { code, stdout } = await run('approve', address, '--as', USER);

  expect(stdout).toContain('works. The portal received its answer.');
  expect(code).toBe(0);
});

test('activates a device that can sign in, and keeps its private key out of listings', async () => {
  const { token, profile } = await portal.signIn(USER);
  const { body } = await portal.call(
    regenerateActivationCode,
    { body: { email: profile.email, primaryAttr: profile.primaryAttr, sendEmail: false, type: 'desktop' } },
    { token },
  );
  const account = ['--org', 'acme', '--email', USER, '--type', 'desktop', '--name', 'My terminal'];

  const wrong = await run('activate', ...account, '--code', body.activationCode === '000000' ? '000001' : '000000');
  expect(wrong.stderr).toBe('Refused: The activation code is not correct.\n');
  expect(wrong.code).toBe(1);

  const activated = await run('activate', ...account, '--code', body.activationCode);
  expect(activated).toMatchObject({
    code: 0,
    stdout: 'Registered user@acme.test (My terminal, Acme Corporation).\n',
  });
  expect(statSync(accountFile()).mode & 0o777).toBe(0o600);
  const [stored] = JSON.parse(readFileSync(accountFile(), 'utf8')).accounts;
  expect(stored).toMatchObject({ url: portal.url, device: { orgCode: 'acme', name: 'My terminal' } });

  const listed = await run('list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({ zid: stored.device.zid, email: USER, challenges: [] });
  expect(listed.stdout).not.toContain(stored.device.privateKeyJwk.d);

  const { qid, state } = await beginSignIn('QID');
  expect((await run('approve', qrOf(qid))).code).toBe(0);
  expect(await state()).toBe('success');

  const { body: paused } = await portal.call(
    manageDevice,
    { body: { zid: stored.device.zid, suid: profile.suid, action: 'pause' } },
    { token },
  );
  expect(paused.resultCode).toBe(0);
  const refused = await run('list');
  expect(refused.stdout).toContain('This device is paused.');
});

test('pairs a device with a typed code and shows the verification code for the portal', async () => {
  const { token, profile } = await portal.signIn('manager@acme.test');
  const { body } = await portal.call(
    addDevice,
    { body: { suid: profile.suid, type: 'DID', mode: 'mobile' } },
    { token },
  );
  const channel = await portal.open(addDeviceLive, { suid: profile.suid, aid: body.aid }, { token });

  const pairing = start('pair', '--org', 'acme', '--aid', body.aid, '--name', 'Terminal phone', '--json');
  const { event, verificationCode } = await pairing.nextLine();
  expect({ event, length: String(verificationCode).length }).toEqual({ event: 'pairing', length: 2 });
  channel.send({
    action: 'add-device',
    type: 'confirm',
    aid: body.aid,
    confirm: 'yes',
    timestamp: portal.clock.iso(),
    validationCode: String(verificationCode),
  });

  expect(await pairing.nextLine()).toMatchObject({ event: 'registered', name: 'Terminal phone' });
  expect((await pairing.ended).code).toBe(0);
  const { body: user } = await portal.call(getUser, { query: { suid: profile.suid } }, { token });
  expect(user.devices.map(({ name }) => name)).toContain('Terminal phone');
  await channel.close();
});

test('watch --auto approves a push with the number in the browser after the given delay', async () => {
  const watching = start('watch', '--as', USER, '--auto', 'approve', '--after', '250ms', '--once', '--json');
  const { matchNumber, state } = await beginSignIn('PUSH');
  expect(await watching.nextLine()).toMatchObject({
    event: 'arrived',
    challenge: { numberChoices: expect.any(Array) },
  });
  const arrived = performance.now();
  expect(await watching.nextLine()).toMatchObject({ event: 'answered', decision: 'approve', number: matchNumber });
  expect(performance.now() - arrived).toBeGreaterThanOrEqual(240);
  expect((await watching.ended).code).toBe(0);
  expect(await state()).toBe('success');
});

test('watch leaves a push open if --number is not a choice and stops on a signal', { tags: 'whole' }, async () => {
  const watching = start('watch', '--as', USER, '--auto', 'approve', '--number', '00', '--json');
  const { state } = await beginSignIn('PUSH');
  expect(await watching.nextLine()).toMatchObject({ event: 'arrived' });
  expect(await watching.nextLine()).toMatchObject({ event: 'left', message: expect.stringContaining('not 00') });
  expect(await state()).toBe('pending');
  watching.child.kill('SIGTERM');
  expect((await watching.ended).code).toBe(0);
  await run('deny', '--pending', '--as', USER);
});

test('`watch` answers codes entered for sign-ins, callers, applications and device tests', async () => {
  const { token } = await portal.signIn('callcenter.admin@acme.test');
  const verbal = (await portal.call(startVerbal, { query: {} }, { token })).body;
  const own = await portal.signIn(USER);
  const tested = (await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token: own.token })).body;
  const typed = await beginSignIn('DID');
  const { headers } = await portal.http.get('/oidc/acme/auth').query({
    client_id: 'team-wiki',
    redirect_uri: 'http://localhost:8080/oidc/callback',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const appLoginId = new URL(headers.location ?? '', portal.url).searchParams.get('app') ?? '';
  const body = { orgCode: 'acme', mode: 'QID' as const, appLoginId };
  const toApp = (await portal.call(login, { body }, { cookie: [headers['set-cookie'] ?? []].flat().join('; ') })).body;

  const watching = start('watch', '--as', USER, '--auto', 'approve', '--json');
  watching.child.stdin.write(`foo\n${typed.did}\n\n${verbal.code.toLowerCase()}\n`);
  watching.child.stdin.write(`${qrOf(toApp.qid ?? '')}\n${qrOf(tested.qid)}\n`);

  const answered = (kind: string) => [
    expect.objectContaining({ event: 'arrived', challenge: expect.objectContaining({ kind }) }),
    expect.objectContaining({ event: 'answered', resultCode: 0, challenge: expect.objectContaining({ kind }) }),
  ];
  const expected = [
    expect.objectContaining({ event: 'left', code: 'foo' }),
    ...answered('login'),
    ...answered('verbal'),
    ...answered('app-login'),
    expect.objectContaining({ event: 'tested' }),
  ];
  const lines = [];
  while (lines.length < expected.length) lines.push(await watching.nextLine());
  expect(lines).toEqual(expected);
  expect(await typed.state()).toBe('success');
  watching.child.kill('SIGTERM');
  expect((await watching.ended).code).toBe(0);
});

test('watch --auto deny denies every request', { tags: 'whole' }, async () => {
  const watching = start('watch', '--as', USER, '--auto', 'deny', '--reason', 'not-me', '--once', '--json');
  const { state } = await beginSignIn('PUSH');

  expect(await watching.nextLine()).toMatchObject({ event: 'arrived' });
  expect(await watching.nextLine()).toMatchObject({ event: 'answered', decision: 'deny', reason: 'not-me' });
  expect((await watching.ended).code).toBe(0);
  expect(await state()).toBe('rejected');
});

test('reports an error if LAB_TOKEN contains characters not allowed in headers', async () => {
  const { code, stderr } = await runWith({ LAB_TOKEN: 'in two\nlines' }, 'list', '--as', USER);
  expect(code).toBe(2);
  expect(stderr).toContain("LAB_TOKEN contains a line break or another character that isn't allowed in headers.");
});

const NO_HOME = 'There is no home folder for storing devices. Specify a file with --file.\nSee --help.\n';

test.each<[string, object]>([
  ['with an empty HOME', { HOME: '' }],
  ...(process.getuid?.() === 0 ? [['without a passwd entry', { uid: 12_345 }] as [string, object]] : []),
])('requires --file for a user account %s', async (_, { HOME, uid }: { HOME?: string; uid?: number }) => {
  const env = { PATH: process.env.PATH, PUBLIC_URL: portal.url, HOME };
  const child = spawn(process.execPath, [PROGRAM, 'list'], { env, uid, stdio: 'pipe' });
  running.push(child);
  expect(await textOf(child.stderr)).toBe(NO_HOME);
});

test('warns about an environment variable with a misspelled name', async () => {
  const env = { LAB_TOKN: 'x', PUBLIC_URI: portal.url, CORS_ORIGIN: 'x', NPM_TOKEN: 'x', PUBLIC_URL: '' };
  const { stderr } = await runWith(env, 'list');
  expect(stderr).toMatch(/^Unknown setting LAB_TOKN\. Did you mean LAB_TOKEN\?\nUnknown setting PUBLIC_URI\./);
  expect(stderr).not.toMatch(/CORS_ORIGIN|NPM_TOKEN/);
});

test.each(['nonsense', 'localhost:3000', 'ftp://localhost'])(
  'rejects PUBLIC_URL %s as a usage error',
  async (address) => {
    const { code, stderr } = await runWith({ PUBLIC_URL: address }, 'list');

    expect(stderr).toBe(`PUBLIC_URL must be an http or https address, not ${address}.\nSee --help.\n`);
    expect(code).toBe(2);
  },
);

test('distinguishes an unreachable portal from a refusal', async () => {
  const { code, stderr } = await run('list', '--as', USER, '--url', 'http://127.0.0.1:9');

  expect(stderr).toBe("Couldn't reach the portal at http://127.0.0.1:9.\n");
  expect(code).toBe(3);
});

test("doesn't overwrite a file in an unknown format", async () => {
  const foreign = join(folder, 'notes.json');
  writeFileSync(foreign, '{"version":2}');

  const { code, stderr } = await run('list', '--file', foreign);

  expect(stderr).toContain("isn't a device file of this authenticator. Specify another file with --file.");
  expect(code).toBe(2);
  expect(readFileSync(foreign, 'utf8')).toBe('{"version":2}');
});
