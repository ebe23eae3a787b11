import { t } from '@lingui/core/macro';
import type { CodeKind } from '@orchestrate/shared';
import type { AddDeviceView } from './add-device-view.ts';

export interface Sides {
  here: string;
  there: string;
}

const KEEP = t`Keep this code in sight until the device has connected.`;

const byKind: Record<CodeKind, { connect: Sides; notify: Sides }> = {
  QID: {
    connect: { here: KEEP, there: t`Open the authenticator and scan the code.` },
    notify: {
      here: t`Confirm that the connected device is yours.`,
      there: t`It is waiting for your answer; there is nothing to do here.`,
    },
  },
  DID: {
    connect: { here: KEEP, there: t`Open the authenticator and type the code.` },
    notify: {
      here: t`Enter the two characters that the new device shows.`,
      there: t`Read the two characters of the verification code.`,
    },
  },
};

const FAILED: Sides = {
  here: t`The two characters did not match.`,
  there: t`It has to connect again, with a fresh code.`,
};
const CANCELLED: Sides = { here: t`A fresh code follows in a moment.`, there: t`The device was turned away.` };
const EXPIRED: Sides = { here: t`This code has expired; get a new one.`, there: t`Wait for the new code.` };

/** What happens on this screen and on the new device, one sentence each. */
export function sidesOf(kind: CodeKind, { step }: AddDeviceView): Sides {
  if (step === 'failed') return FAILED;
  if (step === 'cancelled') return CANCELLED;
  if (step === 'code-expired') return EXPIRED;
  return step === 'notify' ? byKind[kind].notify : byKind[kind].connect;
}
