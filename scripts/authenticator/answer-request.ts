import type { DenyReason, PendingChallenge } from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { labelOf, type Session } from './session.ts';
import { describeRequest, orList, UsageError } from './terminal.ts';

export type Answer = { decision: 'approve'; number?: string | undefined } | { decision: 'deny'; reason: DenyReason };

/**
 * Returns the number to approve a request with: the one passed, else the user's choice; undefined if none is needed.
 * @throws UsageError if one is needed but can't be chosen
 */
async function numberFor(
  session: Session,
  challenge: PendingChallenge,
  given: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const choices = challenge.numberChoices ?? [];
  if (choices.length === 0) return undefined;
  const chosen =
    given ?? (await session.terminal.prompt(`Which number does the browser show, ${orList(choices)}? `, signal));
  if (chosen && choices.includes(chosen)) return chosen;
  if (chosen)
    throw new UsageError(`The browser shows one of ${orList(choices)}, not ${chosen}. The request is still open.`);
  throw new UsageError(
    `Pass the number that the browser shows: --number ${choices.join('|')}. The request is still open.`,
  );
}

/** Answers a request and prints the outcome. Rejects like the device core. */
export async function answerRequest(
  session: Session,
  device: DeviceState,
  challenge: PendingChallenge,
  answer: Answer,
  signal?: AbortSignal,
): Promise<void> {
  const { authenticator, terminal } = session;
  const { challengeId } = challenge;
  const number = answer.decision === 'approve' ? await numberFor(session, challenge, answer.number, signal) : undefined;
  const { resultCode, endedSignIns } = await authenticator.respond(
    device,
    answer.decision === 'approve'
      ? { challengeId, decision: 'approve', ...(number === undefined ? {} : { number }) }
      : { challengeId, decision: 'deny', reason: answer.reason },
  );
  const isReport = answer.decision === 'deny' && answer.reason === 'not-me';
  const verb =
    answer.decision === 'approve' ? 'Approved' : isReport ? 'Denied and reported to the administrators' : 'Denied';
  terminal.result(`${verb} by ${labelOf(device)}: ${describeRequest(challenge, authenticator.portalNow())}`, {
    event: 'answered',
    resultCode,
    zid: device.zid,
    ...answer,
    number,
    endedSignIns,
    challenge,
  });
}
