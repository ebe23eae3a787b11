import type { PendingChallenge } from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { type Answer, answerRequest } from './answer-request.ts';
import { describeRequest } from './describe-request.ts';
import { NothingWaits, WrongUse } from './exit.ts';
import { openCode, requireAnswerable } from './open-code.ts';
import type { CommandOf } from './read-command.ts';
import { deviceOf, labelOf, type Session } from './session.ts';

/** `approve` and `deny`: opens the request behind a code, or takes the waiting one, and answers it. */
export async function answer(session: Session, command: CommandOf<'approve'> | CommandOf<'deny'>): Promise<void> {
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
