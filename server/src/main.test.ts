import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { connect as connectByTls } from 'node:tls';
import { promisify } from 'node:util';
import { loginLive, virtualDevices } from '@orchestrate/shared';
import { createAuthenticator, deviceOfVirtual } from '@orchestrate/shared/authenticator';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openChannel } from './testing-api/live-client.ts';

const ENTRY = join(import.meta.dirname, '../main.js');

let folder: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'server-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a server in a separate process, with its database in the test folder. */
function start(env: NodeJS.ProcessEnv = {}, options = ['--json']) {
  const child = spawn(process.execPath, [ENTRY, ...options], {
    env: { PATH: process.env.PATH, PORT: '0', DATABASE_FILE: join(folder, 'portal.db'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), complaints }));
  return { child, ended };
}

async function ready({ child, ended }: ReturnType<typeof start>): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line).url;
  throw new Error(`The server ended before it was ready: ${(await ended).complaints}`);
}

test('closes channels, responds to pending requests and exits cleanly on SIGTERM', async () => {
  const server = start();
  const url = await ready(server);
  const { loginId } = (await request(url).post('/api/user/login').send({ orgCode: 'acme', mode: 'QID' })).body;
  const channel = await openChannel(url, loginLive, { loginId });
  await channel.next();
  const waiting = get(`${url}/api/lab/outbox?wait=60`, { headers: { Expect: '100-continue' } });
  const answer = once(waiting, 'response');
  // Wait until the server has read the request. Otherwise, the operating system would reset the connection on
  // shutdown.
  await once(waiting, 'continue');

  server.child.kill('SIGTERM');
  expect(await channel.closed).toEqual({ code: 1001, reason: 'The server is closing.' });
  expect((await answer)[0]).toMatchObject({ statusCode: 200 });
  const { code, complaints } = await server.ended;
  expect(code).toBe(0);
  expect(complaints).not.toContain(loginId);
});

test.each(['SIGHUP', 'SIGINT'] as const)(
  'closes the database on %s from a terminal, as on SIGTERM',
  { tags: 'whole' },
  async (signal) => {
    const server = start();
    await ready(server);
    server.child.kill(signal);
    expect((await server.ended).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['portal.db', 'portal.db.key']);
  },
);

test('refuses to start with an unknown option and suggests an environment variable', async () => {
  const refused = async (...options: string[]) => start({}, options).ended;
  expect(await refused('--json', '--prot', '4000')).toEqual({
    code: 1,
    complaints: 'start has no option --prot. Did you mean the environment variable PORT? See --help.\n',
  });
  expect(await refused('--database-file=x.db')).toMatchObject({
    complaints: 'start has no option --database-file. Set the environment variable DATABASE_FILE. See --help.\n',
  });
  expect(await refused('--json=yes')).toMatchObject({
    code: 1,
    complaints: '--json does not accept a value. See --help.\n',
  });
  expect(await refused('world.yaml')).toMatchObject({
    code: 1,
    complaints: 'start does not accept world.yaml, only options. See --help.\n',
  });
  // npm strips the `--` separator, but pnpm passes it on.
  expect(await refused('--', '--jsn')).toMatchObject({
    code: 1,
    complaints: 'start has no option --jsn. See --help.\n',
  });
  expect(existsSync(join(folder, 'portal.db'))).toBe(false);
});

test('lists the settings for --help without starting the portal', async () => {
  const help = start({}, ['--', '--help']);
  let printed = '';
  help.child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  expect(await help.ended).toEqual({ code: 0, complaints: '' });
  expect(printed).toMatch(/^Usage: .*start \[--json\]/);
  expect(printed).toContain('PORT');
  expect(existsSync(join(folder, 'portal.db'))).toBe(false);
});

test('shuts down despite a request that never ends', async () => {
  const server = start();
  const { port } = new URL(await ready(server));
  const caller = connect(Number(port), 'localhost');
  const hungUp = once(caller, 'close');
  caller.write('POST /api/user/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
  // The `Expect` reply shows that the server has read the request headers and is waiting for the body.
  caller.write('Expect: 100-continue\r\nContent-Length: 500\r\n\r\n');
  await once(caller, 'data');

  server.child.kill('SIGTERM');
  await hungUp;
  expect((await server.ended).code).toBe(0);
});

test('keeps every acknowledged write after a kill', async () => {
  const server = start();
  const url = await ready(server);
  const { loginId } = (await request(url).post('/api/user/login').send({ orgCode: 'acme', mode: 'DID' })).body;
  server.child.kill('SIGKILL');
  await server.ended;
  const again = await ready(start());
  expect((await request(again).get(`/api/user/login/${loginId}`)).body).toMatchObject({ state: 'init' });
});

test('reports an invalid environment variable in one line and refuses to start', async () => {
  const { code, complaints } = await start({ PORT: 'many' }).ended;
  expect(code).toBe(1);
  expect(complaints).toBe('The environment variable PORT must be a whole number from 0 to 65535.\n');
});

test("warns about misspelled settings, but not about other programs' variables", async () => {
  const others = { CI: 'true', NODE_OPTIONS: '', DATABASE_URL: 'postgres://x', HTTP_URL: 'x', LDAP_HOST: 'x' };
  const resembling = { GITHUB_TOKEN: 'x', HUB_TOKEN: 'x', SECRET_KEY: 'x', EMAIL_FROM: 'x', npm_config_port: '1' };
  const chosen = { MAIL_FORM: 'x', MAIL_FROM: 'a@acme.test', LAB_TOKENS: '' };
  const misspelt = { CORS_ORIGIN: 'http://localhost:5173', cors_origins: 'x', SECRETS_KEYS: 'x' };
  const server = start({ LOG_LEVEL: 'warn', ...others, ...resembling, ...chosen, ...misspelt });
  await ready(server);
  server.child.kill('SIGTERM');
  const { complaints } = await server.ended;
  expect(
    complaints
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual([
    'Unknown setting CORS_ORIGIN. Did you mean CORS_ORIGINS?',
    'Unknown setting cors_origins. Did you mean CORS_ORIGINS?',
    'Unknown setting SECRETS_KEYS. Did you mean SECRETS_KEY?',
  ]);
});

test('explains on startup that a new seed takes effect only after a reset', {
  tags: 'whole',
}, async () => {
  const seed = join(folder, 'world.yaml');
  writeFileSync(seed, 'organisations: [{ code: initech }]\n');
  const notLoaded = (name: string) =>
    new RegExp(`Seed +${name} was not loaded because the database already has data\\. To start over`);
  const startTable = async (env: NodeJS.ProcessEnv) => {
    const server = start(env, []);
    const shown = await table(server);
    server.child.kill('SIGTERM');
    await server.ended;
    return shown;
  };
  expect(await startTable({})).not.toContain('Seed');
  expect(await startTable({})).not.toContain('Seed');
  expect(await startTable({ SEED: seed })).toMatch(notLoaded(seed));
  expect(await startTable({ SEED: seed })).toMatch(/ start over with it, reset the portal at http:.*\/lab\/worlds/);
  expect(await startTable({ SEED: seed, LAB: 'off' })).toContain(
    `start over with it, delete ${join(folder, 'portal.db')}`,
  );
  expect(await startTable({ SEED: 'none' })).toMatch(notLoaded('none'));
  expect(await startTable({ SEED: 'demo' })).toMatch(notLoaded('demo'));
  rmSync(join(folder, 'portal.db'));
  expect(await startTable({ SEED: seed })).not.toContain('Seed');
  rmSync(join(folder, 'portal.db'));
  expect(await startTable({ SEED: 'none' })).toMatch(/Seed +none$/m);
});

test('reports a port in use in one line and saves nothing', async () => {
  const neighbour = createServer().listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  const address = neighbour.address();
  const port = typeof address === 'object' ? Number(address?.port) : 0;
  const datagrams = createSocket('udp4').bind(port, '127.0.0.1');
  await once(datagrams, 'listening');
  const free = String(await freePort());
  try {
    const settings = ['PORT', 'LDAP_PORT', 'LDAPS_PORT', 'RADIUS_PORT'].map((setting) => [setting, String(port)]);
    for (const [setting = '', value] of [...settings, ['RADIUS_PORT', `${port}-${port}`]]) {
      expect(await start({ [setting]: value }).ended).toEqual({
        code: 1,
        complaints: `Port ${port} is already in use. Choose another ${setting}, or stop the program that uses it.\n`,
      });
    }
    const twice = await start({ LDAP_PORT: free, LDAPS_PORT: free }).ended;
    expect(twice.complaints).toMatch(/^Port \d+ is already in use\. Choose another LDAPS_PORT,/);
  } finally {
    neighbour.close();
    datagrams.close();
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('prints the CA that LDAPS clients must trust, even if the portal itself has no TLS', {
  tags: 'whole',
}, async () => {
  const shown = await table(start({ LDAPS_PORT: '0' }, []));
  const ca = readFileSync(/Certificates +by ([^,]+),/.exec(shown)?.[1] ?? '', 'utf8');
  const port = Number(/ldaps:\S+:(\d+)/.exec(shown)?.[1]);
  const socket = connectByTls({ port, host: '127.0.0.1', servername: 'localhost', ca });
  await once(socket, 'secureConnect');
  expect(socket.authorized).toBe(true);
  socket.destroy();
});

test('reports in one line that HOST is not an address of this machine', { tags: 'whole' }, async () => {
  const { code, complaints } = await start({ HOST: '203.0.113.1' }).ended;
  expect(code).toBe(1);
  expect(complaints).toBe('203.0.113.1 is not an address of this machine. Choose another HOST.\n');
});

test('reports in one line that the database file is not a database', { tags: 'whole' }, async () => {
  writeFileSync(join(folder, 'portal.db'), 'no database '.repeat(1_000));
  const { code, complaints } = await start().ended;
  expect(code).toBe(1);
  expect(complaints.trim().split('\n')).toHaveLength(1);
  expect(complaints).toContain('portal.db');
});

test('reports in one line that the database path is a folder', {
  tags: 'whole',
}, async () => {
  expect(await start({ DATABASE_FILE: folder }).ended).toEqual({
    code: 1,
    complaints: `The database ${folder} is a folder. Set DATABASE_FILE to the path of a file.\n`,
  });
});

test('reports an unreadable world file in one line with its path', {
  tags: 'whole',
}, async () => {
  const missing = relative(process.cwd(), join(folder, 'world.yaml'));
  expect(await start({ SEED: missing }).ended).toEqual({
    code: 2,
    complaints: `The file in SEED, ${join(folder, 'world.yaml')}, cannot be read: the file doesn't exist.\n`,
  });
  const inFolder = join(folder, 'folder.yaml');
  mkdirSync(inFolder);
  expect(await start({ SEED: inFolder }).ended).toEqual({
    code: 2,
    complaints: `The file in SEED, ${inFolder}, cannot be read: it is a directory.\n`,
  });
});

/** True if this user can mount a file system in a separate namespace, which Linux allows by default. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

test.runIf(canMount)('reports a full disk in one line and starts once there is space', { tags: 'whole' }, async () => {
  const begin = '"$NODE" "$ENTRY" --json >&2; echo $? >&2';
  const script = `mount -t tmpfs -o size=2m tmpfs "$FOLDER"
    ${begin}; ${begin}
    head -c 4M /dev/zero > "$FOLDER/full" 2> "$FOLDER/said"; ${begin}
    mount -o remount,size=40m "$FOLDER"; rm "$FOLDER/full"
    mount -o remount,ro "$FOLDER"; ${begin}`;
  const file = join(folder, 'portal.db');
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    FOLDER: folder,
    DATABASE_FILE: file,
    NODE: process.execPath,
    ENTRY,
  };
  const { stderr } = await promisify(execFile)('unshare', ['-rm', 'sh', '-c', script], { env });
  const full = `The disk that holds the database ${file} is full. Free some space, or choose another DATABASE_FILE.`;
  const readOnly = `The database ${file} is not writable. Check the permissions of the file and its folder, and that the disk is not read-only.`;
  expect(stderr.trim().split('\n')).toEqual([full, '1', full, '1', full, '1', readOnly, '1']);
});

test('reports PUBLIC_URL as the portal’s URL regardless of the listening address', { tags: 'whole' }, async () => {
  expect(await ready(start({ PUBLIC_URL: 'https://portal.example/' }))).toBe('https://portal.example');
});

/** Returns the table that is printed on startup. */
async function table({ child, ended }: ReturnType<typeof start>): Promise<string> {
  let shown = '';
  for await (const line of createInterface({ input: child.stdout })) {
    shown += `${line}\n`;
    if (/^ {2}Lab {2}/.test(line)) return shown;
  }
  throw new Error(`The server ended before it was ready: ${(await ended).complaints}`);
}

/** Settings used by `docker compose up`, with a PUBLIC_URL on another host. */
const CONTAINER = { HOST: '0.0.0.0', PUBLIC_URL: 'http://portal.example:3000', LAB_TOKEN: 'auto', LOG_LEVEL: 'info' };

test('prints a working lab token in a container and keeps it across restarts', { tags: 'whole' }, async () => {
  const PORT = String(await freePort());
  const first = start({ ...CONTAINER, PORT }, []);
  const shown = await table(first);
  const token = /http:\/\/portal\.example:3000\/authenticator#lab-token=(\S+)/.exec(shown)?.[1] ?? '';
  expect(shown).toContain(`http://portal.example:3000/lab#lab-token=${token}`);
  const file = join(folder, 'lab-token');
  expect(readFileSync(file, 'utf8').trim()).toBe(token);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const url = `http://localhost:${PORT}`;
  await request(url).get('/api/lab/virtual-devices').expect(403);
  const found = await request(url).get('/api/lab/virtual-devices').auth(token, { type: 'bearer' });
  const { devices } = virtualDevices.reply.parse(found.body);
  const seeded = devices.find(({ primaryEmail }) => primaryEmail === 'user@acme.test');
  const phone = seeded && deviceOfVirtual(seeded);
  if (!phone) throw new Error('The demo has no such phone.');
  const authenticator = createAuthenticator({ baseUrl: url, now: Date.now });
  const started = (await request(url).post('/api/user/login').send({ orgCode: 'acme', mode: 'QID' })).body;
  const { challenge } = await authenticator.resolve(phone, String(started.qid));
  await authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  const { exchangeToken } = (await request(url).get(`/api/user/login/${started.loginId}`)).body;
  const signedIn = await request(url).post('/api/user/login').send({ loginId: started.loginId, exchangeToken });
  expect(signedIn.body).toMatchObject({ resultCode: 0, profile: { email: 'user@acme.test' } });

  first.child.kill('SIGTERM');
  const { complaints } = await first.ended;
  expect(complaints).not.toContain(token);
  const second = start({ ...CONTAINER, PORT: '0' }, []);
  expect(await table(second)).toContain(`#lab-token=${token}`);
});

test('reports the lab as closed if other machines can reach the portal and no token is set', async () => {
  const shown = await table(start({ ...CONTAINER, PORT: '0', LAB_TOKEN: '' }, []));
  expect(shown).toMatch(/Lab +closed: this portal is reachable from elsewhere and LAB_TOKEN is not set/);
});

test('does not print a configured lab token', { tags: 'whole' }, async () => {
  const shown = await table(start({ ...CONTAINER, PORT: '0', LAB_TOKEN: 'Vq7Zt0cXb2LrYd9KfWm3' }, []));
  expect(shown).toMatch(/Lab +on, with LAB_TOKEN/);
  expect(shown).not.toContain('Vq7Zt0cXb2LrYd9KfWm3');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

test('reports a missing secrets key in one line and refuses to start', { tags: 'whole' }, async () => {
  const SECRETS_KEY = 'ab'.repeat(32);
  const first = start({ SECRETS_KEY });
  await ready(first);
  first.child.kill('SIGKILL');
  await first.ended;
  const { code, complaints } = await start({ SECRETS_KEY: 'cd'.repeat(32) }).ended;
  expect(code).toBe(1);
  expect(complaints.trim().split('\n')).toHaveLength(1);
  expect(complaints).toContain('were sealed with another key');
  expect(complaints).not.toContain('abab');
});
