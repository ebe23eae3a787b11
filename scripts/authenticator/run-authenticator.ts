import { misspeltSettings } from '@orchestrate/server/misspelt-settings';
import { PortalRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';
import { answer } from './answer.ts';
import { EXIT, type ExitCode, NothingWaits, WrongUse } from './exit.ts';
import { list } from './list.ts';
import { type Command, readCommand } from './read-command.ts';
import { activate, pair, setUp } from './register-device.ts';
import { openSession, type Session } from './session.ts';
import { createTerminal, type Surface } from './terminal.ts';
import { SETUP_USAGE, USAGE } from './usage.ts';
import { watch } from './watch.ts';

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
