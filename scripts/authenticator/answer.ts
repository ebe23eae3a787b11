import type { PendingChallenge } from '@orchestrate/shared';
import { codeOf } from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { type Answer, answerRequest } from './answer-request.ts';
import { describeRequest } from './describe-request.ts';
import { NothingWaits, WrongUse } from './exit.ts';
import { type CommandOf, readTarget } from './read-command.ts';
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

  const scanned = readTarget(command.target);
  if (scanned.kind === 'add-device') throw new WrongUse('This code adds a device: use pair.');
  const isTyped = scanned.kind === 'typed';
  const device = await deviceOf(session, command, isTyped ? undefined : scanned.orgCode);
  const { resultCode, challenge } = await session.authenticator.resolve(
    device,
    isTyped ? scanned.code : scanned.qidCode,
  );
  if (resultCode === codeOf('TEST_DEVICE_SUCCESS')) {
    return session.terminal.tell(`${labelOf(device)} works: the portal has heard from it.`, {
      event: 'tested',
      resultCode,
      zid: device.zid,
      challenge,
    });
  }
  await answerRequest(session, device, challenge, choice);
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
