import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PendingChallenge, readRequests } from '@orchestrate/shared';
import { type DeviceState, PortalRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';
import { type Answer, answerRequest } from './answer-request.ts';
import { openCode, requireAnswerable } from './open-code.ts';
import type { CommandOf } from './read-command.ts';
import { deviceLabel, type Session, selectDevice } from './session.ts';
import { formatRequest, UsageError } from './terminal.ts';

/**
 * Reads from the lab which number the browser shows. Returns undefined if the request has no number or the lab is
 * unavailable.
 */
async function shownNumber({ lab }: Session, challenge: PendingChallenge): Promise<string | undefined> {
  if (!challenge.numberChoices) return undefined;
  try {
    const { requests } = await lab(readRequests, {});
    return requests.find(({ challengeId }) => challengeId === challenge.challengeId)?.matchNumber;
  } catch (failure) {
    // The lab is off or requires a token, so the user has to enter the number.
    if (failure instanceof PortalRefusal) return undefined;
    throw failure;
  }
}

/**
 * Follows a device's requests as they arrive and answers them one at a time, either automatically or by prompting the
 * user. With `--auto`, also answers codes from stdin, one per line.
 */
export async function watch(given: Session, command: CommandOf<'watch'>): Promise<void> {
  // With --auto, stdin contains codes instead of answers to prompts.
  const session = command.auto ? { ...given, terminal: { ...given.terminal, prompt: async () => null } } : given;
  const { authenticator, terminal } = session;
  const device = await selectDevice(session, command);
  const seen = new Set<string>();
  const ending = new AbortController();
  const { signal } = ending;
  let turn = Promise.resolve();

  await new Promise<void>((resolve, reject) => {
    /** Queues work to handle requests in order. */
    function enqueue(work: () => Promise<boolean>): void {
      turn = turn
        .then(async () => {
          if (!signal.aborted && (await work()) && command.once) stop();
        })
        .catch((failure: unknown) => {
          reject(failure);
          stop();
        });
    }
    const following = authenticator.watch(device, {
      onState(connection) {
        if (connection.state === 'refused')
          return terminal.error(connection.refusal.message, refusalFacts(connection.refusal));
        terminal.progress(
          { connecting: 'Connecting…', live: `Watching for ${deviceLabel(device)}.`, reconnecting: 'Reconnecting…' }[
            connection.state
          ],
        );
      },
      onChallenges(challenges) {
        for (const challenge of challenges) {
          if (seen.has(challenge.challengeId)) continue;
          seen.add(challenge.challengeId);
          enqueue(() => handleRequest(session, device, challenge, command, signal));
        }
      },
    });
    const lines = command.auto && createInterface({ input: session.stdin });
    if (lines) {
      lines.on('line', (line) => {
        if (line.trim()) enqueue(() => handleCode(session, device, line, command, signal));
      });
    }
    const stop = () => {
      ending.abort();
      following.stop();
      if (lines) lines.close();
    };
    signal.addEventListener('abort', () => resolve());
    // Stopping with Ctrl-C is not a failure.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  });
}

const refusalFacts = ({ resultCode, resultName, message }: PortalRefusal) => ({
  event: 'refused',
  resultCode,
  resultName,
  message,
});

/** Prints a request and answers it. Resolves to false if it stays unanswered. */
async function handleRequest(
  session: Session,
  device: DeviceState,
  challenge: PendingChallenge,
  command: CommandOf<'watch'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { terminal, authenticator } = session;
  terminal.result(formatRequest(challenge, authenticator.portalNow()), {
    event: 'arrived',
    zid: device.zid,
    challenge,
  });
  return reportFailure(session, signal, { challengeId: challenge.challengeId }, async () => {
    const answer = await decide(session, challenge, command, signal);
    if (!answer || signal.aborted) return false;
    await answerRequest(session, device, challenge, answer, signal);
    return true;
  });
}

/** Opens the request behind a typed or scanned code and answers it. */
function handleCode(
  session: Session,
  device: DeviceState,
  line: string,
  command: CommandOf<'watch'>,
  signal: AbortSignal,
): Promise<boolean> {
  return reportFailure(session, signal, { code: line.trim() }, async () => {
    const challenge = await openCode(session, device, requireAnswerable(line));
    return challenge ? handleRequest(session, device, challenge, command, signal) : true;
  });
}

/** Reports a failed request without stopping later requests. */
async function reportFailure(
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
      terminal.error(failure.message, { ...refusalFacts(failure), ...about });
      return true;
    }
    if (!(failure instanceof UsageError || failure instanceof PortalUnreachable)) throw failure;
    const { message } = failure;
    terminal.error(message, { event: 'left', message, ...about });
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
  const choice = await session.terminal.prompt('[a]pprove, [d]eny, deny as [n]ot me, or Enter to skip: ', signal);
  if (choice === 'a') return { decision: 'approve', number };
  if (choice === 'd') return { decision: 'deny', reason: 'cancel' };
  return choice === 'n' ? { decision: 'deny', reason: 'not-me' } : null;
}
