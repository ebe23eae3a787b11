import { codeOf, type PendingChallenge } from '@orchestrate/shared';
import type { DeviceState, Scanned } from '@orchestrate/shared/authenticator';
import { WrongUse } from './exit.ts';
import { readTarget } from './read-command.ts';
import { labelOf, type Session } from './session.ts';

type Answerable = Exclude<Scanned, { kind: 'add-device' }>;

/** What the person gave as CODE or QR-ADDRESS of a request. @throws WrongUse */
export function requireAnswerable(target: string): Answerable {
  const scanned = readTarget(target);
  if (scanned.kind === 'add-device') throw new WrongUse('This code adds a device: use pair.');
  return scanned;
}

/** Opens the request behind a code; null for a device test, which is complete with that and was reported. */
export async function openCode(
  { authenticator, terminal }: Session,
  device: DeviceState,
  scanned: Answerable,
): Promise<PendingChallenge | null> {
  const code = scanned.kind === 'typed' ? scanned.code : scanned.qidCode;
  const { resultCode, challenge } = await authenticator.resolve(device, code);
  if (resultCode !== codeOf('TEST_DEVICE_SUCCESS')) return challenge;
  terminal.tell(`${labelOf(device)} works: the portal has heard from it.`, {
    event: 'tested',
    resultCode,
    zid: device.zid,
    challenge,
  });
  return null;
}
