import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import {
  DatabaseUnusable,
  openDatabase,
  organisationRepo,
  placeOf,
  seedDatabase,
  virtualDeviceRepo,
} from '@orchestrate/db';
import closeWithGrace from 'close-with-grace';
import {
  AUTO_LAB_TOKEN,
  type Config,
  ConfigInvalid,
  configOfProcess,
  isStartedByNpm,
  misspeltOfProcess,
  SETTINGS,
} from './config.ts';
import type { Deps } from './deps.ts';
import { orgCodesToSetUp, setupState, shownSetupCode } from './features/setup/set-up.ts';
import { requireLabDecision, withLabToken } from './lab/lab-token-file.ts';
import { startOf } from './lab/world/seed-choice.ts';
import { WorldFileInvalid, withWorldFile } from './lab/world/world-file.ts';
import { machineNow } from './platform/adapters/clock.ts';
import { createLog } from './platform/adapters/log.ts';
import { hasSimulatedPhones, isLabClosed, isLocalPortal } from './platform/http/callers/local-portal.ts';
import { nearest } from './platform/nearest.ts';
import { type Place, PortUnusable, portProblem } from './platform/port-unusable.ts';
import { ownCommand } from './platform/version.ts';
import { keyOriginOf } from './platform/world-seed.ts';
import { endWith, findStarters } from './process/exit-with-parent.ts';
import { runPortal } from './process/run-portal.ts';
import { startSpace } from './process/start-space.ts';

/** The sign-in accounts of the demo (contract §16). */
const DEMO_ACCOUNTS: ReadonlySet<string> = new Set([
  'super.admin@acme.test',
  'helpdesk.admin@acme.test',
  'security.admin@acme.test',
  'callcenter.admin@acme.test',
  'manager@acme.test',
  'user@acme.test',
  'admin@globex.test',
]);

/**
 * What a person who has just started the portal needs to know. It contains two secrets at most: a lab token made by the
 * portal itself is part of the addresses that carry it, after the `#`, which no browser sends and nobody logs; and the
 * code for the first administrator, while there is none.
 * @param given the configuration as it was read
 * @param isSeeded whether the seed was used: a database that has data keeps it
 */
export function startTable(deps: Deps, given: Config, isSeeded: boolean): string {
  const { config, db, ports, publicUrl, authorityFile } = deps;
  const accounts = new Map(
    virtualDeviceRepo
      .listVirtualDevices(db)
      .filter(({ member }) => DEMO_ACCOUNTS.has(member.primaryEmail))
      .map(({ member, roleName, orgName }) => [member.primaryEmail, { orgCode: member.orgCode, orgName, roleName }]),
  );
  const carried = given.labToken === AUTO_LAB_TOKEN && config.lab ? `#lab-token=${config.labToken}` : '';
  const organisations = new Map([...accounts.values()].map(({ orgCode, orgName }) => [orgCode, orgName]));
  return table([
    [],
    ['Portal', publicUrl],
    ...[...organisations].map(([orgCode, name]) => [`Sign in to ${name}`, `${publicUrl}/${orgCode}/sign-in`]),
    ['Authenticator', `${publicUrl}/authenticator${carried}`],
    ...(carried ? [['Lab page', `${publicUrl}/lab${carried}`]] : []),
    ['API reference', `${publicUrl}/docs`],
    [],
    ...setupRows(deps),
    ...[...accounts].map(([email, { roleName }]) => [roleName, email]),
    ...(accounts.size > 0 && config.lab && hasSimulatedPhones(config)
      ? [['', 'Each has a simulated phone: choose it in the authenticator, and approve there.'], []]
      : []),
    ...radiusRows(deps),
    ...(ports.ldap === null ? [] : [['LDAP', `ldap://${config.host}:${ports.ldap}`]]),
    ...(ports.ldaps === null ? [] : [['LDAPS', `ldaps://${config.host}:${ports.ldaps}`]]),
    ...(authorityFile === null
      ? []
      : [['Certificates', `by ${authorityFile}, which others must trust, e.g. with NODE_EXTRA_CA_CERTS`]]),
    ...settings(deps, given, isSeeded),
    [],
  ]);
}

/** Organisations of which the table lists the RADIUS port. */
const RADIUS_ROWS = 8;

/** The RADIUS port of each organisation, in the order of the ports. */
function radiusRows({ config, db, ports: { radius } }: Deps): string[][] {
  if (radius === null) return [];
  const all = organisationRepo.listOrgCodes(db);
  const [first = 0] = config.radiusPorts ?? [];
  const row = (orgCode: string): string[] => {
    const at = radius.of(orgCode);
    const none = `no port: set RADIUS_PORT to a range, e.g. ${first}-${first + all.length - 1}`;
    return [`RADIUS of ${orgCode}`, typeof at === 'number' ? `${config.host}:${at}, UDP` : none];
  };
  const more = all.length - RADIUS_ROWS;
  return [
    ...all.slice(0, RADIUS_ROWS).map(row),
    ...(more > 0 ? [['', `and ${more} more organisations: the page of each RADIUS application shows its port`]] : []),
  ];
}

/** How the first administrator gets in, while there is none. */
function setupRows(deps: Deps): string[][] {
  if (!setupState(deps).isOpen) return [];
  const waiting = orgCodesToSetUp(deps, deps.db);
  const where = waiting.length > 0 ? ` Nobody administers ${waiting.join(', ')}.` : '';
  return [
    ['First administrator', `${deps.publicUrl}/setup`],
    ['Setup code', shownSetupCode(deps)],
    ['', `It works once. On the command line: ${ownCommand('setup')} --help${where}`],
    [],
  ];
}

function settings(deps: Deps, given: Config, isSeeded: boolean): string[][] {
  const { config } = deps;
  const { databaseFile, smtpUrl, drMode, trustedProxies } = config;
  return [
    ['Database', databaseFile],
    ...seedRows(deps, isSeeded),
    ['Lab', labText(config, given)],
    ...(trustedProxies.length > 0 ? [['Trusted proxies', trustedProxies.join(', ')]] : []),
    ...(smtpUrl ? [['Mail', URL.parse(smtpUrl)?.host ?? 'on']] : []),
    ...(drMode ? [['Recovery mode', 'uploads are refused']] : []),
  ];
}

function seedRows({ config, publicUrl }: Deps, isSeeded: boolean): string[][] {
  const { seed, seedFile, isSeedGiven, databaseFile, lab } = config;
  if (isSeeded) return seed === 'none' ? [['Seed', 'none']] : [];
  if (!isSeedGiven) return [];
  const name = seedFile ?? (seed === 'none' ? 'none' : 'demo');
  const how = lab ? `reset the portal at ${publicUrl}/lab/worlds` : `delete ${databaseFile}`;
  return [['Seed', `${name} is not used yet: the database keeps what it has. To begin again with it, ${how}`]];
}

/** Who may use the lab, in one line. */
function labText(config: Config, given: Config): string {
  const { lab, labToken } = config;
  if (!lab) return 'off';
  if (isLabClosed(config)) return 'closed: this portal is reached from elsewhere, and LAB_TOKEN is not set';
  const withToken = given.labToken === AUTO_LAB_TOKEN ? 'with the token in the addresses above' : 'with LAB_TOKEN';
  if (isLocalPortal(config)) return `on, for this machine${labToken ? `, and elsewhere ${withToken}` : ''}`;
  return `on, ${withToken}`;
}

/** Two columns, the first as wide as its widest entry. */
function table(rows: string[][]): string {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}  ${value}`.trimEnd()).join('\n');
}

interface StartOptions {
  /** Print one JSON line instead of the table, once the portal answers. */
  isForProgram: boolean;
  isHelp: boolean;
}

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

/**
 * What follows `start` on the command line.
 * @throws ConfigInvalid A portal that ignored a word would not be the one that was asked for.
 */
function readStartOptions(args: readonly string[]): StartOptions {
  // npm takes the `--` before options for itself, and pnpm passes it on.
  const given = args.filter((arg) => arg !== '--');
  const { values, tokens } = parseArgs({ args: given, options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      throw new ConfigInvalid(`start takes no ${token.value}, only options. See --help.`);
    if (!(token.name in OPTIONS))
      throw new ConfigInvalid(`start has no option ${token.rawName}. ${meant(token.name)}See --help.`);
    if (token.value !== undefined) throw new ConfigInvalid(`${token.rawName} takes no value. See --help.`);
  }
  return { isForProgram: values.json === true, isHelp: values.help === true };
}

/** Settings are environment variables, and in other programs many of them are options. */
function meant(option: string): string {
  const name = option.replaceAll('-', '_').toUpperCase();
  if (SETTINGS.includes(name)) return `Set the environment variable ${name}. `;
  const near = nearest(name, SETTINGS);
  return near ? `Did you mean the environment variable ${near}? ` : '';
}

const START_USAGE = `Usage: ${ownCommand('start')} [--json]

Starts the portal at http://localhost:3000.

Options
  --json   prints one JSON line once it answers, with url, health and pid, instead of the table
  --help   this page

Settings are environment variables, read once:
${wrapped(SETTINGS)}
What each does is in ${placeOf('docs/settings.md')}.`;

/** A list in lines of at most a hundred characters. */
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
 * Takes every port for a moment. A start that found out later would leave a database behind, and the next start would
 * go on with it, whatever its `SEED`.
 * @throws PortUnusable
 */
async function requireFreePorts({ host, port, ldapPort, ldapsPort, radiusPorts }: Config): Promise<void> {
  const wanted = { LDAP_PORT: ldapPort, LDAPS_PORT: ldapsPort, PORT: port };
  // All at once, so that two of them are not the same one.
  const releases: Release[] = [];
  try {
    for (const [setting, number] of Object.entries(wanted)) {
      if (number) releases.push(await take(holdTcp, { host, port: number, setting }));
    }
    // One after the other: together they could be more sockets than a process may open.
    const [first, last] = radiusPorts ?? [0, 0];
    for (let number = first; number !== 0 && number <= last; number += 1) {
      await (await take(holdUdp, { host, port: number, setting: 'RADIUS_PORT' }))();
    }
  } finally {
    await Promise.all(releases.map((release) => release()));
  }
}

async function take(hold: (place: Place) => Promise<Release>, place: Place): Promise<Release> {
  try {
    return await hold(place);
  } catch (reason) {
    throw portProblem(reason, place);
  }
}

async function holdTcp({ host, port }: Place): Promise<Release> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return () => once(server.close(), 'close');
}

async function holdUdp({ host, port }: Place): Promise<Release> {
  const { createSocket } = await import('node:dgram');
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').bind(port, host);
  await once(socket, 'listening');
  return () => once(socket.close(), 'close');
}

/** After this, a request or channel that does not end is abandoned. */
const GRACE_MS = 4_500;
/** The exit code where `SEED` names a world with mistakes: nothing else ends with it. */
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

/** @param isForProgram print one JSON line instead of the table, once the portal answers. */
async function main(isForProgram: boolean): Promise<void> {
  const starters = findStarters(isStartedByNpm());
  const read = await withWorldFile(configOfProcess());
  requireLabDecision(read);
  await requireFreePorts(read);
  const database = openDatabase({
    file: read.databaseFile,
    keys: { current: read.secretsKey, previous: read.secretsKeyPrevious },
    keysFrom: keyOriginOf(read),
  });
  const config = withLabToken(read);
  const start = startOf(config.seed);
  const frozenAt = start === undefined ? undefined : Date.parse(start);
  const isSeeded = seedDatabase(database.db, config.seed, frozenAt ?? machineNow());
  const log = await createLog(config);
  for (const sentence of misspeltOfProcess()) log.warn(sentence);
  const { deps, close } = await runPortal({ config, database, log, frozenAt, startSpace });

  const ending = closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    stopLooking();
    if (err) deps.log.fatal(err, 'the server ends because of a defect');
    await close();
  });
  const stopLooking = endWith(await starters, () => void ending.close());
  console.log(isForProgram ? JSON.stringify(readiness(deps)) : startTable(deps, read, isSeeded));
}

/** What `--json` promises to programs. */
function readiness(deps: Deps): object {
  const { publicUrl, authorityFile: ca } = deps;
  const setupCode = setupState(deps).isOpen ? shownSetupCode(deps) : undefined;
  const health = `${publicUrl}/health`;
  return { url: publicUrl, health, pid: process.pid, ...(ca && { ca }), ...(setupCode && { setupCode }) };
}
