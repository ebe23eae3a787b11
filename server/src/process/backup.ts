import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Backup,
  BackupFailed,
  type BackupOptions,
  backUp,
  backUpClosed,
  DatabaseUnusable,
  type OpenDatabase,
} from '@orchestrate/db';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Config, ConfigInvalid, readConfig } from '#config.ts';
import { ownCommand } from '#platform/version.ts';

const USAGE = `Usage: ${ownCommand('backup')} [--without-key] [--json] FILE

Copies the portal's database to FILE, which must not exist. The portal can be running: the copy has everything that was
saved before the command ends. Run it with the portal's own DATABASE_FILE, as the same user, on the same machine.

The key that unseals the secrets in the copy is written to FILE.key, unless the portal has SECRETS_KEY.
To restore a backup, stop the portal and start it with DATABASE_FILE=FILE.

Options
  --without-key   don't copy the key; keep the original safe, because the copy can't be started without it
  --json          print one JSON object, for programs
  --help          print this help

Exit codes: 0 success, 1 failure, 2 incorrect usage.
`;

const OPTIONS = {
  'without-key': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The command's environment and standard streams. */
interface Surface {
  env: NodeJS.ProcessEnv;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Runs `orchestrate backup`. @returns the exit code */
export async function runBackup(args: string[], { env, stdout, stderr }: Surface): Promise<0 | 1 | 2> {
  const complain = (message: string, code: 1 | 2) => {
    stderr.write(`${message}\n`);
    return code;
  };
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) {
      stdout.write(USAGE);
      return 0;
    }
    const [given, ...more] = positionals;
    if (given === undefined || more.length > 0) return complain(`backup requires one FILE.\n${USAGE}`, 2);
    const { databaseFile, secretsKey } = readConfig(env);
    const file = resolve(databaseFile);
    if (!existsSync(file)) return complain(`Database ${file} doesn't exist. Check DATABASE_FILE.`, 1);
    const request = { target: resolve(given), withKey: !values['without-key'] && !secretsKey };
    const backup = (await requestBackup(socketOf(file), request)) ?? (await backUpClosed({ file, ...request }));
    const summary = { event: 'backed-up', file: request.target, ...backup };
    stdout.write(values.json ? `${JSON.stringify(summary)}\n` : describe(request.target, backup, secretsKey !== null));
    return 0;
  } catch (reason) {
    if (reason instanceof BackupFailed || reason instanceof DatabaseUnusable || reason instanceof ConfigInvalid)
      return complain(reason.message, 1);
    if (reason instanceof TypeError) return complain(`${reason.message}\n${USAGE}`, 2);
    throw reason;
  }
}

function describe(target: string, { bytes, keyFile }: Backup, hasSecretsKey: boolean): string {
  const key = keyFile
    ? `The key is in ${keyFile}. Anyone who has both files can read the secrets, so store them apart.`
    : hasSecretsKey
      ? 'To start it, set the SECRETS_KEY that the portal has now.'
      : 'The key was not copied. Keep the original: the backup cannot be started without it.';
  return `Backed up to ${target} (${(bytes / 1e6).toFixed(1)} MB).\n${key}\n`;
}

/** A request of the command to the running portal, on one line. */
const backupRequest = z.object({ target: z.string(), withKey: z.boolean() });
type BackupRequest = Pick<BackupOptions, 'target' | 'withKey'>;

/** The portal's answer, on one line. */
const backupAnswer = z.union([
  z.object({ bytes: z.number(), keyFile: z.string().optional() }),
  z.object({ failure: z.string() }),
]);

/**
 * Returns the address at which a running portal accepts backups of its database: a socket in the database's folder,
 * which only its owner can use.
 */
const socketOf = (file: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\orchestrate${file.replace(/[\\/:]/g, '-')}` : `${file}.sock`;

/**
 * Asks the running portal for a backup. A second process can't open the database, because the portal locks it.
 * @returns undefined if no portal is running
 * @throws BackupFailed
 */
async function requestBackup(address: string, request: BackupRequest): Promise<Backup | undefined> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
  } catch (reason) {
    const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'EINVAL') return undefined;
    if (code === 'EACCES') throw new BackupFailed('Another user runs this portal. Run the command as the same user.');
    throw reason;
  }
  socket.write(`${JSON.stringify(request)}\n`);
  const line = await readLine(socket).finally(() => socket.destroy());
  if (line === undefined) throw new BackupFailed('The portal stopped before the backup was complete. Try again.');
  const answer = backupAnswer.parse(JSON.parse(line));
  if ('failure' in answer) throw new BackupFailed(answer.failure);
  return answer;
}

const MAX_LINE = 64_000;

/**
 * Returns the first line that arrives, or undefined if the connection ends before. Keeps reading afterwards: a paused
 * socket wouldn't notice that the other side has gone.
 */
function readLine(socket: Socket): Promise<string | undefined> {
  return new Promise((done) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      if (text.includes('\n')) return;
      text += part;
      if (text.includes('\n')) done(text.slice(0, text.indexOf('\n')));
      else if (text.length > MAX_LINE) socket.destroy();
    });
    socket.once('error', () => done(undefined)).once('close', () => done(undefined));
  });
}

/**
 * Accepts requests of `orchestrate backup` until the returned function is called. If the socket can't be created, for
 * example on a file system without sockets, the portal runs all the same, and can be backed up when it is stopped.
 */
export async function acceptBackups(
  raw: OpenDatabase['raw'],
  { databaseFile }: Pick<Config, 'databaseFile'>,
  log: Logger,
): Promise<() => void> {
  const file = resolve(databaseFile);
  const address = socketOf(file);
  const ending = new AbortController();
  let isBusy = false;

  async function answer(socket: Socket): Promise<object | undefined> {
    const line = await readLine(socket);
    if (line === undefined) return undefined;
    if (isBusy) return { failure: 'Another backup is in progress. Try again when it has ended.' };
    isBusy = true;
    const gone = new AbortController();
    socket.once('close', () => gone.abort(new BackupFailed('The command was stopped.')));
    try {
      const request = backupRequest.parse(JSON.parse(line));
      const backup = await backUp(raw, { file, ...request, signal: AbortSignal.any([gone.signal, ending.signal]) });
      log.info({ file: request.target, bytes: backup.bytes }, 'backed up the database');
      return backup;
    } catch (reason) {
      if (reason instanceof BackupFailed) return { failure: reason.message };
      log.error(reason, 'the backup failed');
      return { failure: "The backup failed. The portal's log has the reason." };
    } finally {
      isBusy = false;
    }
  }

  const server = createServer((socket) => {
    void answer(socket).then((result) => socket.end(result ? `${JSON.stringify(result)}\n` : ''));
  });
  try {
    await listenPrivately(server, address);
  } catch (reason) {
    log.warn(reason, `couldn't create ${address}: a backup requires that the portal is stopped`);
  }
  return () => {
    ending.abort(new BackupFailed('The portal stopped before the backup was complete. Try again.'));
    server.close();
  };
}

async function listenPrivately(server: Server, address: string): Promise<void> {
  // The database is locked, so a socket that is already there was left by a process that was killed.
  if (process.platform !== 'win32') rmSync(address, { force: true });
  const mask = process.umask(0o077);
  try {
    server.listen(address);
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
  server.unref();
}
