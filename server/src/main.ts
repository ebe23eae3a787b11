import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { DatabaseUnusable, openDatabase, projectPath, seedDatabase, seedDemoActivity } from '@orchestrate/db';
import closeWithGrace from 'close-with-grace';
import {
  type Config,
  ConfigInvalid,
  isStartedByNpm,
  misspeltVariableWarnings,
  readProcessConfig,
  SETTING_NAMES,
} from './config.ts';
import { payloadOf } from './core/audit/record.ts';
import type { Deps } from './deps.ts';
import { formatSetupCode, setupState } from './features/setup/routes.ts';
import { requireLabDecision, resolveLabToken } from './lab/lab-token-file.ts';
import { frozenTimeOf } from './lab/world/read-world.ts';
import { WorldFileInvalid, withWorldFile } from './lab/world/world-file.ts';
import { machineNow } from './platform/adapters/clock.ts';
import { createLog } from './platform/adapters/log.ts';
import { nearest } from './platform/nearest.ts';
import { type PortBinding, PortUnusable, portProblem } from './platform/port-unusable.ts';
import { ownCommand } from './platform/version.ts';
import { keyOriginOf } from './platform/world-seed.ts';
import { acceptBackups } from './process/backup.ts';
import { endWithStarters, findStarters } from './process/exit-with-parent.ts';
import { runPortal } from './process/run-portal.ts';
import { startSpace } from './process/start-space.ts';
import { startTable } from './process/start-table.ts';

interface StartOptions {
  /** True to print one JSON line instead of the table. */
  isForProgram: boolean;
  isHelp: boolean;
}

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

/**
 * Parses the options of `start`.
 * @throws ConfigInvalid for an unknown argument, so it is never silently ignored
 */
function readStartOptions(args: readonly string[]): StartOptions {
  // npm removes the `--` before options, but pnpm passes it on.
  const given = args.filter((arg) => arg !== '--');
  const { values, tokens } = parseArgs({ args: given, options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      throw new ConfigInvalid(`start does not accept ${token.value}, only options. See --help.`);
    if (!(token.name in OPTIONS))
      throw new ConfigInvalid(`start has no option ${token.rawName}. ${meant(token.name)}See --help.`);
    if (token.value !== undefined) throw new ConfigInvalid(`${token.rawName} does not accept a value. See --help.`);
  }
  return { isForProgram: values.json === true, isHelp: values.help === true };
}

/**
 * Suggests an environment variable for an unknown option, because users of other programs may expect an option for
 * this setting.
 */
function meant(option: string): string {
  const name = option.replaceAll('-', '_').toUpperCase();
  if (SETTING_NAMES.includes(name)) return `Set the environment variable ${name}. `;
  const near = nearest(name, SETTING_NAMES);
  return near ? `Did you mean the environment variable ${near}? ` : '';
}

const START_USAGE = `Usage: ${ownCommand('start')} [--json]

Starts the portal at http://localhost:3000.

Options
  --json   print one JSON line with url, health and pid once the portal is ready, instead of the table
  --help   show this help

Settings are environment variables, read once at start:
${wrapped(SETTING_NAMES)}
Each setting is described in ${projectPath('docs/settings.md')}.`;

/** Wraps a list into lines of at most 100 characters. */
function wrapped(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const line = lines.pop() ?? '';
    lines.push(...(line.length + name.length > 96 ? [line, `  ${name}`] : [`${line || ' '} ${name}`]));
  }
  return lines.join('\n');
}

type Release = () => Promise<unknown>;

/**
 * Checks that all ports are free by binding them briefly. Failing later would leave a database behind, and the next
 * start would use that database and ignore `SEED`.
 * @throws PortUnusable
 */
async function requireFreePorts({ host, port, ldapPort, ldapsPort, radiusPorts }: Config): Promise<void> {
  const wanted = { LDAP_PORT: ldapPort, LDAPS_PORT: ldapsPort, PORT: port };
  // Hold all ports at the same time to detect duplicates.
  const releases: Release[] = [];
  try {
    for (const [setting, number] of Object.entries(wanted)) {
      if (number) releases.push(await take(holdTcp, { host, port: number, setting }));
    }
    // Check RADIUS ports one at a time, because holding them all could exceed the limit of open sockets.
    const [first, last] = radiusPorts ?? [0, 0];
    for (let number = first; number !== 0 && number <= last; number += 1) {
      await (await take(holdUdp, { host, port: number, setting: 'RADIUS_PORT' }))();
    }
  } finally {
    await Promise.all(releases.map((release) => release()));
  }
}

async function take(hold: (binding: PortBinding) => Promise<Release>, binding: PortBinding): Promise<Release> {
  try {
    return await hold(binding);
  } catch (reason) {
    throw portProblem(reason, binding);
  }
}

async function holdTcp({ host, port }: PortBinding): Promise<Release> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return () => once(server.close(), 'close');
}

async function holdUdp({ host, port }: PortBinding): Promise<Release> {
  const { createSocket } = await import('node:dgram');
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').bind(port, host);
  await once(socket, 'listening');
  return () => once(socket.close(), 'close');
}

/** Grace period at shutdown before pending requests and channels are aborted, in milliseconds. */
const GRACE_MS = 4_500;
/** Exit code reserved for an invalid world in `SEED`. */
const WORLD_FILE_INVALID = 2;

try {
  const { isForProgram, isHelp } = readStartOptions(process.argv.slice(2));
  if (isHelp) console.log(START_USAGE);
  else await main(isForProgram);
} catch (reason) {
  const isExpected =
    reason instanceof ConfigInvalid || reason instanceof DatabaseUnusable || reason instanceof PortUnusable;
  console.error(isExpected ? reason.message : reason);
  process.exit(reason instanceof WorldFileInvalid ? WORLD_FILE_INVALID : 1);
}

/** Starts the portal. @param isForProgram true to print one JSON line instead of the table */
async function main(isForProgram: boolean): Promise<void> {
  const starters = findStarters(isStartedByNpm());
  const read = await withWorldFile(readProcessConfig());
  requireLabDecision(read);
  await requireFreePorts(read);
  const database = openDatabase({
    file: read.databaseFile,
    keys: { current: read.secretsKey, previous: read.secretsKeyPrevious },
    keysFrom: keyOriginOf(read),
  });
  const config = resolveLabToken(read);
  const start = frozenTimeOf(config.seed);
  const frozenAt = start === undefined ? undefined : Date.parse(start);
  const isSeeded = seedDatabase(database.db, config.seed, frozenAt ?? machineNow());
  // Not part of the seed: after a reset, and in tests, the trail contains only what has really happened, and there are no
  // webhooks that slow down a change.
  if (isSeeded && config.seed === 'demo') seedDemoActivity(database.db, machineNow(), payloadOf);
  const log = await createLog(config);
  for (const sentence of misspeltVariableWarnings()) log.warn(sentence);
  const { deps, close } = await runPortal({ config, database, log, frozenAt, startSpace });

  const refuseBackups = await acceptBackups(database.raw, config, log);

  const ending = closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    stopLooking();
    if (err) deps.log.fatal(err, 'the server ends because of a defect');
    refuseBackups();
    await close();
  });
  const stopLooking = endWithStarters(await starters, () => void ending.close());
  console.log(isForProgram ? JSON.stringify(readiness(deps)) : startTable(deps, read, isSeeded));
}

/** Returns the object that `--json` prints. */
function readiness(deps: Deps): object {
  const { publicUrl, authorityFile: ca } = deps;
  const setupCode = setupState(deps).isOpen ? formatSetupCode(deps) : undefined;
  const health = `${publicUrl}/health`;
  return { url: publicUrl, health, pid: process.pid, ...(ca && { ca }), ...(setupCode && { setupCode }) };
}
