import { codeOf, type PendingChallenge } from '@orchestrate/shared';
import type { DeviceState, Scanned } from '@orchestrate/shared/authenticator';
import { readTarget } from './read-command.ts';
import { labelOf, type Session } from './session.ts';
import { UsageError } from './terminal.ts';

type Answerable = Exclude<Scanned, { kind: 'add-device' }>;

/** Parses the CODE or QR-ADDRESS argument of a request. @throws UsageError */
export function requireAnswerable(target: string): Answerable {
  const scanned = readTarget(target);
  if (scanned.kind === 'add-device') throw new UsageError('This code adds a device. Use pair instead.');
  return scanned;
}

/** Opens the request behind a code. Returns null for a device test, which this completes and reports. */
export async function openCode(
  { authenticator, terminal }: Session,
  device: DeviceState,
  scanned: Answerable,
): Promise<PendingChallenge | null> {
  const code = scanned.kind === 'typed' ? scanned.code : scanned.qidCode;
  const { resultCode, challenge } = await authenticator.resolve(device, code);
  if (resultCode !== codeOf('TEST_DEVICE_SUCCESS')) return challenge;
  terminal.result(`${labelOf(device)} works: the portal received its answer.`, {
    event: 'tested',
    resultCode,
    zid: device.zid,
    challenge,
  });
  return null;
}
