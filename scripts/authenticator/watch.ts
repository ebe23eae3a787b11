import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PendingChallenge, readRequests } from '@orchestrate/shared';
import { type DeviceState, PortalRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';
import { type Answer, answerRequest } from './answer-request.ts';
import { describeRequest } from './describe-request.ts';
import { WrongUse } from './exit.ts';
import { openCode, requireAnswerable } from './open-code.ts';
import type { CommandOf } from './read-command.ts';
import { deviceOf, labelOf, type Session } from './session.ts';

/**
 * The number that the browser shows for a request, as the lab knows it; undefined without a number or without a lab.
 */
async function shownNumber({ lab }: Session, challenge: PendingChallenge): Promise<string | undefined> {
  if (!challenge.numberChoices) return undefined;
  try {
    const { requests } = await lab(readRequests, {});
    return requests.find(({ challengeId }) => challengeId === challenge.challengeId)?.matchNumber;
  } catch (failure) {
    // Off, or closed to this caller: then a person has to say it.
    if (failure instanceof PortalRefusal) return undefined;
    throw failure;
  }
}

/**
 * Follows the requests to one device as they arrive, and answers them one at a time, as told or as the person chooses.
 * As told, it also answers the codes that it is given line by line.
 */
export async function watch(given: Session, command: CommandOf<'watch'>): Promise<void> {
  // Its input are codes then, not answers.
  const session = command.auto ? { ...given, terminal: { ...given.terminal, ask: async () => null } } : given;
  const { authenticator, terminal } = session;
  const device = await deviceOf(session, command);
  const seen = new Set<string>();
  const ending = new AbortController();
  const { signal } = ending;
  let turn = Promise.resolve();

  await new Promise<void>((resolve, reject) => {
    /** After everything that came before it. */
    function next(meeting: () => Promise<boolean>): void {
      turn = turn
        .then(async () => {
          if (!signal.aborted && (await meeting()) && command.once) stop();
        })
        .catch((failure: unknown) => {
          reject(failure);
          stop();
        });
    }
    const following = authenticator.watch(device, {
      onState(connection) {
        if (connection.state === 'refused')
          return terminal.complain(connection.refusal.message, refusalFacts(connection.refusal));
        terminal.note(
          { connecting: 'Connecting…', live: `Watching for ${labelOf(device)}.`, reconnecting: 'Reconnecting…' }[
            connection.state
          ],
        );
      },
      onChallenges(challenges) {
        for (const challenge of challenges) {
          if (seen.has(challenge.challengeId)) continue;
          seen.add(challenge.challengeId);
          next(() => meet(session, device, challenge, command, signal));
        }
      },
    });
    const lines = command.auto && createInterface({ input: session.stdin });
    if (lines) {
      lines.on('line', (line) => {
        if (line.trim()) next(() => meetCode(session, device, line, command, signal));
      });
    }
    const stop = () => {
      ending.abort();
      following.stop();
      if (lines) lines.close();
    };
    signal.addEventListener('abort', () => resolve());
    // Being stopped by the person does not count as a failure.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  });
}

const refusalFacts = ({ resultCode, resultName, message }: PortalRefusal) => ({
  event: 'refused',
  resultCode,
  resultName,
  message,
});

/** Announces a request and answers it if somebody decides; returns whether it was answered. */
async function meet(
  session: Session,
  device: DeviceState,
  challenge: PendingChallenge,
  command: CommandOf<'watch'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { terminal, authenticator } = session;
  terminal.tell(describeRequest(challenge, authenticator.portalNow()), {
    event: 'arrived',
    zid: device.zid,
    challenge,
  });
  return surviving(session, signal, { challengeId: challenge.challengeId }, async () => {
    const answer = await decide(session, challenge, command, signal);
    if (!answer || signal.aborted) return false;
    await answerRequest(session, device, challenge, answer, signal);
    return true;
  });
}

/** Opens the request behind a code, as a person types or scans it, and answers it. */
function meetCode(
  session: Session,
  device: DeviceState,
  line: string,
  command: CommandOf<'watch'>,
  signal: AbortSignal,
): Promise<boolean> {
  return surviving(session, signal, { code: line.trim() }, async () => {
    const challenge = await openCode(session, device, requireAnswerable(line));
    return challenge ? meet(session, device, challenge, command, signal) : true;
  });
}

/** A failure of one request is reported, and does not prevent the next one. */
async function surviving(
  { terminal }: Session,
  signal: AbortSignal,
  about: object,
  work: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await work();
  } catch (failure) {
    if (signal.aborted) return false;
    if (failure instanceof PortalRefusal) {
      terminal.complain(failure.message, { ...refusalFacts(failure), ...about });
      return true;
    }
    if (!(failure instanceof WrongUse || failure instanceof PortalUnreachable)) throw failure;
    const { message } = failure;
    terminal.complain(message, { event: 'left', message, ...about });
    return false;
  }
}

async function decide(
  session: Session,
  challenge: PendingChallenge,
  { auto, after = 0, reason = 'cancel', number }: CommandOf<'watch'>,
  signal: AbortSignal,
): Promise<Answer | null> {
  if (auto) {
    await sleep(after, undefined, { signal });
    if (auto === 'deny') return { decision: 'deny', reason };
    return { decision: 'approve', number: number ?? (await shownNumber(session, challenge)) };
  }
  const choice = await session.terminal.ask('[a]pprove, [d]eny, deny as [n]ot me, or Enter to leave it: ', signal);
  if (choice === 'a') return { decision: 'approve', number };
  if (choice === 'd') return { decision: 'deny', reason: 'cancel' };
  return choice === 'n' ? { decision: 'deny', reason: 'not-me' } : null;
}
