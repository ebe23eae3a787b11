import type { PendingChallenge } from '@orchestrate/shared';
import { AuthenticatorRefusal, type DeviceState, PortalUnreachable } from '@orchestrate/shared/authenticator';
import { type Answer, answerRequest } from './answer-request.ts';
import { describeRequest } from './describe-request.ts';
import { WrongUse } from './exit.ts';
import type { CommandOf } from './read-command.ts';
import { deviceOf, labelOf, type Session } from './session.ts';

/**
 * Follows the sign-ins of one device as they arrive, and answers them one at a time, as told or as the person chooses.
 */
export async function watch(session: Session, command: CommandOf<'watch'>): Promise<void> {
  const { authenticator, terminal } = session;
  const device = await deviceOf(session, command);
  const seen = new Set<string>();
  const ending = new AbortController();
  let turn = Promise.resolve();

  await new Promise<void>((resolve, reject) => {
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
          turn = turn
            .then(() => meet(session, device, challenge, command, ending.signal))
            .then((isAnswered) => {
              if (isAnswered && command.once) stop();
            })
            .catch((failure: unknown) => {
              reject(failure);
              stop();
            });
        }
      },
    });
    const stop = () => {
      ending.abort();
      following.stop();
    };
    ending.signal.addEventListener('abort', () => resolve());
    // Being stopped by the person does not count as a failure.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  });
}

const refusalFacts = ({ resultCode, resultName, message }: AuthenticatorRefusal) => ({
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
  const answer = await decide(session, command, signal);
  if (!answer || signal.aborted) return false;
  try {
    await answerRequest(session, device, challenge, answer, signal);
    return true;
  } catch (failure) {
    if (failure instanceof AuthenticatorRefusal) {
      terminal.complain(failure.message, { ...refusalFacts(failure), challengeId: challenge.challengeId });
      return true;
    }
    if (!(failure instanceof WrongUse || failure instanceof PortalUnreachable)) throw failure;
    const { message } = failure;
    if (!signal.aborted) terminal.complain(message, { event: 'left', message, challengeId: challenge.challengeId });
    return false;
  }
}

async function decide(
  { terminal }: Session,
  { auto, number }: CommandOf<'watch'>,
  signal: AbortSignal,
): Promise<Answer | null> {
  if (auto === 'approve') return { decision: 'approve', number };
  if (auto === 'deny') return { decision: 'deny', reason: 'cancel' };
  const choice = await terminal.ask('[a]pprove, [d]eny, deny as [n]ot me, or Enter to leave it: ', signal);
  if (choice === 'a') return { decision: 'approve', number };
  if (choice === 'd') return { decision: 'deny', reason: 'cancel' };
  return choice === 'n' ? { decision: 'deny', reason: 'not-me' } : null;
}
