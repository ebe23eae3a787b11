import type { DenyReason, PendingChallenge } from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { deviceLabel, type Session } from './session.ts';
import { formatRequest, orList, UsageError } from './terminal.ts';

export type Answer = { decision: 'approve'; number?: string | undefined } | { decision: 'deny'; reason: DenyReason };

/**
 * Returns the number needed to approve a request: the number passed or, failing that, the user's choice. Returns
 * undefined if no number is needed.
 * @throws UsageError if a number is needed and none, or an invalid one, was chosen
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
    `Pass the number shown in the browser: --number ${choices.join('|')}. The request is still open.`,
  );
}

/** Answers a request and prints the outcome. Rejects with the device core's errors. */
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
  terminal.result(`${verb} by ${deviceLabel(device)}: ${formatRequest(challenge, authenticator.portalNow())}`, {
    event: 'answered',
    resultCode,
    zid: device.zid,
    ...answer,
    number,
    endedSignIns,
    challenge,
  });
}
