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
import { describeRequest } from './describe-request.ts';
import { EXIT, type ExitCode, NothingWaits, WrongUse } from './exit.ts';
import { openCode, requireAnswerable } from './open-code.ts';
import { type Command, type CommandOf, readCommand, readTarget } from './read-command.ts';
import { deviceOf, labelOf, openSession, type Session } from './session.ts';
import { createTerminal, type Surface } from './terminal.ts';
import { watch } from './watch.ts';

export const USAGE = `The simulated authenticator, on the command line.

Usage: ${ownCommand('authenticator')} <command> [options]

Commands
  setup --code CODE --org CODE --email ADDRESS --first NAME --last NAME [--called NAME] [--color '#RRGGBB']
                                                       the first administrator, by the code that the start printed
  activate --org CODE --email ADDRESS --code 000000    register this device with an activation code
  pair QR-ADDRESS | pair --org CODE --aid CODE         register it with an add-device code of the portal
  list                                                 the devices kept here, and what waits for each
  approve CODE|QR-ADDRESS|--pending                    approve a sign-in or complete a device test
  deny CODE|QR-ADDRESS|--pending                       deny it
  watch [--once]                                       follow requests as they arrive, and ask about each
  watch --auto approve|deny [--after 250ms] [--once]   answer them by itself, also codes given line by line

Options
  --as ADDRESS        act as a seeded demo person, with the keys that the lab gives out
  --org CODE          with --as or a device kept here: in which organisation, where there are several
  --account WHICH     email address or device id, where several devices are kept here
  --number NN         the number that the browser shows, where it shows one
  --called NAME       of setup: what the organisation is called (default: its code)
  --color '#RRGGBB'   of setup: the colour of the organisation's buttons and mails
  --reason WHY        of deny and --auto deny: not-me, or cancel (the default)
  --name NAME         of activate and pair: what the device is called (default: this machine's name)
  --after TIME        of --auto: how long it waits before each answer: 250ms, 2s, 1m
  --type TYPE         mobile (the default) or desktop; with --as, which device of the person
  --url ORIGIN        the portal (default: http://localhost:3000, or PUBLIC_URL)
  --file PATH         where devices and their keys are kept, readable by you alone
  --json              one JSON object per line, for programs
  --help              this page

A sign-in that shows a number in the browser is approved only with --number, or by choosing when asked in a terminal;
--auto approve asks the lab which one it shows. With --auto, what is typed or piped in is answered too: each line a code
or the address of a QR code, of a sign-in, an application, a caller's verification or a device test.

Exit codes: 0 done, 1 the portal refused, 2 wrong use, 3 the portal cannot be reached, 4 nothing waits.
LAB_TOKEN is sent to the lab where it is set.
`;

/** Of the one command that has a name of its own, `orchestrate setup`. */
const SETUP_USAGE = `Makes the first administrator of a portal that has none, with this device as their phone.

Usage: ${ownCommand('setup')} --code CODE --org CODE --email ADDRESS --first NAME --last NAME [options]

  --code CODE         the setup code that the start printed
  --org CODE          the organisation: letters, digits and hyphens
  --email ADDRESS     of the administrator
  --first NAME        the administrator's first name
  --last NAME         the administrator's last name

Options
  --called NAME       what the organisation is called (default: its code)
  --color '#RRGGBB'   the colour of the organisation's buttons and mails
  --name NAME         what this device is called (default: this machine's name)
  --url ORIGIN        the portal (default: http://localhost:3000, or PUBLIC_URL)
  --file PATH         where the device and its key are kept, readable by you alone
  --json              one JSON object per line, for programs
  --help              this page

Exit codes: 0 done, 1 the portal refused, 2 wrong use, 3 the portal cannot be reached.

For a Super Admin who has lost every device: ${ownCommand('setup')} recover --help
`;

const names: Partial<Record<NodeJS.Platform, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** The system that this command line runs on, e.g. `Linux 6.8`. */
function describePlatform(): string {
  return `${names[platform()] ?? platform()} ${release().split('.').slice(0, 2).join('.')}`.slice(0, 60);
}

const ASK_EVERY_MS = 1_000;

function keep({ accounts, terminal }: Session, device: DeviceState, confirmation?: Confirmation): void {
  accounts.keep(device);
  const { privateKeyJwk: _, ...known } = device;
  terminal.tell(`Registered ${labelOf(device)}.`, { event: 'registered', resultCode: 0, ...known, confirmation });
  if (confirmation) terminal.note(confirmationLine(confirmation));
  terminal.note(`Its key is kept in ${accounts.path}, readable by you alone.`);
}

const confirmationLine = ({ approvesFrom, matchNumber }: Confirmation): string =>
  matchNumber
    ? `To approve changes with it now, choose ${matchNumber} on your other device. Otherwise it can from ${approvesFrom}.`
    : `It can approve changes from ${approvesFrom}, or once you confirm it on another device.`;

async function activate(session: Session, command: CommandOf<'activate'>): Promise<void> {
  const { org, email, code, name, type } = command;
  session.accounts.prepare();
  const { device, confirmation } = await session.authenticator.activate({
    orgCode: org,
    email,
    activationCode: code,
    device: { name, type, platform: describePlatform() },
  });
  keep(session, device, confirmation);
}

/** Makes the first administrator, with this device as their phone. */
async function setUp(session: Session, command: CommandOf<'setup'>): Promise<void> {
  const { org, code, email, first, last, called, color, name } = command;
  session.accounts.prepare();
  const body = { code, orgCode: org, orgName: called, color, firstName: first, lastName: last, email };
  const { activationCode } = await session.lab(setUpPortal, { body });
  session.terminal.note(`${email} administers ${org}. The activation code ${activationCode} is used for this device.`);
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
  terminal.tell(
    verificationCode
      ? `Type ${verificationCode} in the portal of ${orgName}.`
      : `Confirm in the portal of ${orgName} that you want to add "${name}".`,
    { event: 'pairing', resultCode: 0, orgName, verificationCode, expiresAt },
  );
  const { device, confirmation } = await confirmed(session, pairing);
  keep(session, device, confirmation);
}

interface RegisteredDevice {
  device: DeviceState;
  confirmation: Confirmation | undefined;
}

/** Waits until the portal has confirmed the device. @throws PortalRefusal if it declines */
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
    throw new WrongUse('This QR code signs in or tests a device, it does not add one.');
  const code = scanned?.code ?? aid;
  if (!org || !code) throw new WrongUse('pair needs the address of a QR code, or --org and --aid.');
  return { orgCode: org, aid: code };
}

/** `approve` and `deny`: opens the request behind a code, or takes the waiting one, and answers it. */
async function answer(session: Session, command: CommandOf<'approve'> | CommandOf<'deny'>): Promise<void> {
  const choice: Answer =
    command.command === 'approve'
      ? { decision: 'approve', number: command.number }
      : { decision: 'deny', reason: command.reason };
  if (command.pending === (command.target !== undefined)) {
    throw new WrongUse(`${command.command} needs either a code, the address of a QR code, or --pending.`);
  }
  if (command.target === undefined) {
    const device = await deviceOf(session, command);
    return await answerRequest(session, device, await waitingRequest(session, device), choice);
  }

  const scanned = requireAnswerable(command.target);
  const device = await deviceOf(session, command, scanned.kind === 'typed' ? undefined : scanned.orgCode);
  const challenge = await openCode(session, device, scanned);
  if (challenge) await answerRequest(session, device, challenge, choice);
}

async function waitingRequest({ authenticator }: Session, device: DeviceState): Promise<PendingChallenge> {
  const challenges = await authenticator.pending(device);
  const [only] = challenges;
  if (!only) throw new NothingWaits(`Nothing waits for ${labelOf(device)}.`);
  if (challenges.length > 1) {
    const lines = challenges.map((challenge) => `  ${describeRequest(challenge, authenticator.portalNow())}`);
    throw new WrongUse(`Several requests wait; give the code of the one that is meant:\n${lines.join('\n')}`);
  }
  return only;
}

/** Lists the devices stored here, or the named one, each with its waiting requests. */
async function list(session: Session, command: CommandOf<'list'>): Promise<void> {
  const { accounts, authenticator, terminal, url } = session;
  const isNamed = command.as !== undefined || command.account !== undefined;
  const devices = isNamed ? [await deviceOf(session, command)] : accounts.list();
  if (devices.length === 0) throw new NothingWaits(`No device is kept in ${accounts.path} for ${url}.`);
  for (const device of devices) {
    const { privateKeyJwk: _, ...known } = device;
    try {
      const challenges = await authenticator.pending(device);
      const lines = challenges.map((challenge) => `\n  ${describeRequest(challenge, authenticator.portalNow())}`);
      terminal.tell(`${device.zid}  ${labelOf(device)}${lines.join('')}`, { ...known, challenges });
    } catch (failure) {
      if (!(failure instanceof PortalRefusal)) throw failure;
      const { resultCode, resultName, message } = failure;
      terminal.tell(`${device.zid}  ${labelOf(device)}\n  ${message}`, { ...known, resultCode, resultName, message });
    }
  }
}

/** The environment variables that `openSession` reads. */
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
    await carryOut(openSession(read.surroundings, surface), read.command);
    return EXIT.done;
  } catch (failure) {
    return complain(failure, surface, args.includes('--json'));
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

function complain(failure: unknown, surface: Surface, isJson: boolean): ExitCode {
  const terminal = createTerminal(surface, isJson);
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof PortalRefusal) {
    const { resultCode, resultName } = failure;
    terminal.complain(`Refused: ${message}`, { event: 'refused', resultCode, resultName, message });
    return EXIT.refused;
  }
  if (failure instanceof PortalUnreachable) {
    terminal.complain(message, { event: 'unreachable', message });
    return EXIT.unreachable;
  }
  if (failure instanceof NothingWaits) {
    terminal.complain(message, { event: 'nothing-waits', message });
    return EXIT.nothingWaits;
  }
  if (!(failure instanceof WrongUse)) throw failure;
  terminal.complain(`${message}\nSee --help.`, { event: 'wrong-use', message });
  return EXIT.usage;
}
