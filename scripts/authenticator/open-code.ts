import { codeOf, type PendingChallenge } from '@orchestrate/shared';
import type { DeviceState, Scanned } from '@orchestrate/shared/authenticator';
import { readTarget } from './read-command.ts';
import { deviceLabel, type Session } from './session.ts';
import { UsageError } from './terminal.ts';

type Answerable = Exclude<Scanned, { kind: 'add-device' }>;

/** Parses a request's CODE or QR-ADDRESS argument. @throws UsageError if the code adds a device */
export function requireAnswerable(target: string): Answerable {
  const scanned = readTarget(target);
  if (scanned.kind === 'add-device') throw new UsageError('This code adds a device. Use pair instead.');
  return scanned;
}

/** Opens the request behind a code. For a device test, completes the test, prints the result and returns null. */
export async function openCode(
  { authenticator, terminal }: Session,
  device: DeviceState,
  scanned: Answerable,
): Promise<PendingChallenge | null> {
  const code = scanned.kind === 'typed' ? scanned.code : scanned.qidCode;
  const { resultCode, challenge } = await authenticator.resolve(device, code);
  if (resultCode !== codeOf('TEST_DEVICE_SUCCESS')) return challenge;
  terminal.result(`${deviceLabel(device)} works. The portal received its answer.`, {
    event: 'tested',
    resultCode,
    zid: device.zid,
    challenge,
  });
  return null;
}
