import { platform, release } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { misspeltSettings } from '@orchestrate/server/misspelt-settings';
import { ownCommand } from '@orchestrate/server/own-command';
import {
  type Confirmation,
  type PendingChallenge,
  resultNameOf,
  resultOf,
  setUp as setUpPortal,
} from '@orchestrate/shared';
import { type DeviceState, type Pairing, PortalRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';
import { type Answer, answerRequest } from './answer-request.ts';
import { openCode, requireAnswerable } from './open-code.ts';
import { type Command, type CommandOf, readCommand, readTarget } from './read-command.ts';
import { deviceLabel, openSession, type Session, selectDevice } from './session.ts';
import {
  createTerminal,
  EXIT,
  type ExitCode,
  formatRequest,
  NoPendingRequest,
  type Surface,
  UsageError,
} from './terminal.ts';
import { watch } from './watch.ts';

export const USAGE = `The simulated authenticator, on the command line.

Usage: ${ownCommand('authenticator')} <command> [options]

Commands
  setup --code CODE --org CODE --email ADDRESS --first NAME --last NAME [--called NAME] [--color '#RRGGBB']
                                                       create the first administrator, with the code the server printed at startup
  activate --org CODE --email ADDRESS --code 000000    register this device with an activation code
  pair QR-ADDRESS | pair --org CODE --aid CODE         register this device with an add-device code from the portal
  list                                                 list the devices stored here and their pending requests
  approve CODE|QR-ADDRESS|--pending                    approve a sign-in or complete a device test
  deny CODE|QR-ADDRESS|--pending                       deny a sign-in or device test
  watch [--once]                                       show requests as they arrive and prompt for each
  watch --auto approve|deny [--after 250ms] [--once]   answer requests automatically, including codes from stdin

Options
  --as ADDRESS        act as a seeded demo user, with the keys from the lab
  --org CODE          the organisation, if the user or the stored devices belong to several
  --account WHICH     email address or device ID of the stored device, if there are several
  --number NN         the number shown in the browser, if any
  --called NAME       for setup: organisation name (default: its code)
  --color '#RRGGBB'   for setup: colour of buttons and emails
  --reason WHY        for deny and --auto deny: not-me or cancel (default)
  --name NAME         for activate and pair: device name (default: this machine's name)
  --after TIME        for --auto: delay before each answer: 250ms, 2s, 1m
  --type TYPE         mobile (default) or desktop; with --as, which of the user's devices
  --url ORIGIN        portal URL (default: PUBLIC_URL or http://localhost:3000)
  --file PATH         file for devices and their keys, readable only by you
  --json              one JSON object per line, for programs
  --help              show this page

If a sign-in shows a number in the browser, pass --number or choose it at the prompt; --auto approve reads it from the
lab. With --auto, each line of stdin is answered too. A line is a code or the address of a QR code for a sign-in, an
application, a caller verification or a device test.

Exit codes: 0 success, 1 refused by the portal, 2 usage error, 3 portal unreachable, 4 no pending request.
If LAB_TOKEN is set, it is sent to the lab.
`;

/** Usage of `orchestrate setup`, which is also a standalone command. */
const SETUP_USAGE = `Creates the first administrator of a portal, with this device as their phone.

Usage: ${ownCommand('setup')} --code CODE --org CODE --email ADDRESS --first NAME --last NAME [options]

  --code CODE         the setup code the server printed at startup
  --org CODE          the organisation code: letters, digits and hyphens
  --email ADDRESS     the administrator's email address
  --first NAME        the administrator's first name
  --last NAME         the administrator's last name

Options
  --called NAME       organisation name (default: its code)
  --color '#RRGGBB'   colour of buttons and emails
  --name NAME         device name (default: this machine's name)
  --url ORIGIN        portal URL (default: PUBLIC_URL or http://localhost:3000)
  --file PATH         file for the device and its key, readable only by you
  --json              one JSON object per line, for programs
  --help              show this page

Exit codes: 0 success, 1 refused by the portal, 2 usage error, 3 portal unreachable.

If a Super Admin has lost every device, see: ${ownCommand('setup')} recover --help
`;

const names: Partial<Record<NodeJS.Platform, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** Returns the operating system, e.g. `Linux 6.8`. */
function describePlatform(): string {
  return `${names[platform()] ?? platform()} ${release().split('.').slice(0, 2).join('.')}`.slice(0, 60);
}

const ASK_EVERY_MS = 1_000;

function storeDevice({ accounts, terminal }: Session, device: DeviceState, confirmation?: Confirmation): void {
  accounts.store(device);
  const { privateKeyJwk: _, ...known } = device;
  terminal.result(`Registered ${deviceLabel(device)}.`, { event: 'registered', resultCode: 0, ...known, confirmation });
  if (confirmation) terminal.progress(confirmationLine(confirmation));
  terminal.progress(`Its key is stored in ${accounts.path}, readable only by you.`);
}

const confirmationLine = ({ approvesFrom, matchNumber }: Confirmation): string =>
  matchNumber
    ? `To let it approve changes now, choose ${matchNumber} on your other device. Otherwise, it can approve them from ${approvesFrom}.`
    : `It can approve changes from ${approvesFrom}, or sooner if you confirm it on another device.`;

async function activate(session: Session, command: CommandOf<'activate'>): Promise<void> {
  const { org, email, code, name, type } = command;
  session.accounts.prepare();
  const { device, confirmation } = await session.authenticator.activate({
    orgCode: org,
    email,
    activationCode: code,
    device: { name, type, platform: describePlatform() },
  });
  storeDevice(session, device, confirmation);
}

/** Creates the first administrator with this device as their phone. */
async function setUp(session: Session, command: CommandOf<'setup'>): Promise<void> {
  const { org, code, email, first, last, called, color, name } = command;
  session.accounts.prepare();
  const body = { code, orgCode: org, orgName: called, color, firstName: first, lastName: last, email };
  const { activationCode } = await session.lab(setUpPortal, { body });
  session.terminal.progress(
    `${email} administers ${org}. The activation code ${activationCode} has been used for this device.`,
  );
  await activate(session, { command: 'activate', org, email, code: activationCode, name, type: 'mobile' });
}

async function pair(session: Session, command: CommandOf<'pair'>): Promise<void> {
  const { authenticator, terminal } = session;
  session.accounts.prepare();
  const { name, type } = command;
  const pairing = await authenticator.pair({
    ...addDeviceCode(command),
    device: { name, type, platform: describePlatform() },
  });
  const { verificationCode, expiresAt, orgName } = pairing;
  terminal.result(
    verificationCode
      ? `Enter ${verificationCode} in the portal of ${orgName}.`
      : `Confirm in the portal of ${orgName} that you want to add "${name}".`,
    { event: 'pairing', resultCode: 0, orgName, verificationCode, expiresAt },
  );
  const { device, confirmation } = await confirmed(session, pairing);
  storeDevice(session, device, confirmation);
}

interface RegisteredDevice {
  device: DeviceState;
  confirmation: Confirmation | undefined;
}

/** Waits until the device is confirmed in the portal. @throws PortalRefusal if the device is declined */
async function confirmed({ authenticator }: Session, pairing: Pairing): Promise<RegisteredDevice> {
  for (;;) {
    const { status, resultCode, device, confirmation } = await authenticator.pairStatus(pairing);
    if (device) return { device, confirmation };
    if (status !== 'notify') {
      const reason = resultOf(resultNameOf(resultCode) ?? 'FAILED');
      throw new PortalRefusal({ status: 200, resultCode, resultName: reason.name, message: reason.sentence });
    }
    await sleep(ASK_EVERY_MS);
  }
}

function addDeviceCode({ target, org, aid }: CommandOf<'pair'>): { orgCode: string; aid: string } {
  const scanned = target === undefined ? null : readTarget(target);
  if (scanned?.kind === 'add-device') return { orgCode: scanned.orgCode, aid: scanned.aid };
  if (scanned && scanned.kind !== 'typed')
    throw new UsageError('This QR code is for signing in or testing a device, not for adding one.');
  const code = scanned?.code ?? aid;
  if (!org || !code) throw new UsageError('pair requires the address of a QR code, or --org and --aid.');
  return { orgCode: org, aid: code };
}

/** Runs `approve` and `deny`. Answers the request behind a code, or the pending request. */
async function answer(session: Session, command: CommandOf<'approve'> | CommandOf<'deny'>): Promise<void> {
  const choice: Answer =
    command.command === 'approve'
      ? { decision: 'approve', number: command.number }
      : { decision: 'deny', reason: command.reason };
  if (command.pending === (command.target !== undefined)) {
    throw new UsageError(`${command.command} requires a code, the address of a QR code or --pending.`);
  }
  if (command.target === undefined) {
    const device = await selectDevice(session, command);
    return await answerRequest(session, device, await waitingRequest(session, device), choice);
  }

  const scanned = requireAnswerable(command.target);
  const device = await selectDevice(session, command, scanned.kind === 'typed' ? undefined : scanned.orgCode);
  const challenge = await openCode(session, device, scanned);
  if (challenge) await answerRequest(session, device, challenge, choice);
}

async function waitingRequest({ authenticator }: Session, device: DeviceState): Promise<PendingChallenge> {
  const challenges = await authenticator.pending(device);
  const [only] = challenges;
  if (!only) throw new NoPendingRequest(`No pending requests for ${deviceLabel(device)}.`);
  if (challenges.length > 1) {
    const lines = challenges.map((challenge) => `  ${formatRequest(challenge, authenticator.portalNow())}`);
    throw new UsageError(`Several requests are pending. Pass the code of one of them:\n${lines.join('\n')}`);
  }
  return only;
}

/** Lists the devices stored here, or only the selected device, each with its pending requests. */
async function list(session: Session, command: CommandOf<'list'>): Promise<void> {
  const { accounts, authenticator, terminal, url } = session;
  const isNamed = command.as !== undefined || command.account !== undefined;
  const devices = isNamed ? [await selectDevice(session, command)] : accounts.list();
  if (devices.length === 0) throw new NoPendingRequest(`No device is stored in ${accounts.path} for ${url}.`);
  for (const device of devices) {
    const { privateKeyJwk: _, ...known } = device;
    try {
      const challenges = await authenticator.pending(device);
      const lines = challenges.map((challenge) => `\n  ${formatRequest(challenge, authenticator.portalNow())}`);
      terminal.result(`${device.zid}  ${deviceLabel(device)}${lines.join('')}`, { ...known, challenges });
    } catch (failure) {
      if (!(failure instanceof PortalRefusal)) throw failure;
      const { resultCode, resultName, message } = failure;
      terminal.result(`${device.zid}  ${deviceLabel(device)}\n  ${message}`, {
        ...known,
        resultCode,
        resultName,
        message,
      });
    }
  }
}

/** Environment variables read by `openSession`. */
const VARIABLES = ['PUBLIC_URL', 'LAB_TOKEN'];

/** Runs one command line and returns the exit code. */
export async function runAuthenticator(args: string[], surface: Surface): Promise<ExitCode> {
  try {
    const read = readCommand(args);
    if (!read) {
      surface.stdout.write(args[0] === 'setup' ? SETUP_USAGE : USAGE);
      return args.length === 0 ? EXIT.usage : EXIT.done;
    }
    for (const sentence of misspeltSettings(surface.env, VARIABLES)) surface.stderr.write(`${sentence}\n`);
    await carryOut(openSession(read.common, surface), read.command);
    return EXIT.done;
  } catch (failure) {
    return reportFailure(failure, surface, args.includes('--json'));
  }
}

function carryOut(session: Session, command: Command): Promise<void> {
  switch (command.command) {
    case 'setup':
      return setUp(session, command);
    case 'activate':
      return activate(session, command);
    case 'pair':
      return pair(session, command);
    case 'list':
      return list(session, command);
    case 'approve':
    case 'deny':
      return answer(session, command);
    case 'watch':
      return watch(session, command);
  }
}

function reportFailure(failure: unknown, surface: Surface, isJson: boolean): ExitCode {
  const terminal = createTerminal(surface, isJson);
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof PortalRefusal) {
    const { resultCode, resultName } = failure;
    terminal.error(`Refused: ${message}`, { event: 'refused', resultCode, resultName, message });
    return EXIT.refused;
  }
  if (failure instanceof PortalUnreachable) {
    terminal.error(message, { event: 'unreachable', message });
    return EXIT.unreachable;
  }
  if (failure instanceof NoPendingRequest) {
    terminal.error(message, { event: 'nothing-waits', message });
    return EXIT.nothingWaits;
  }
  if (!(failure instanceof UsageError)) throw failure;
  terminal.error(`${message}\nSee --help.`, { event: 'wrong-use', message });
  return EXIT.usage;
}
