import type { CodeKind } from '@orchestrate/shared';
import type { AddDeviceView } from './add-device-view.ts';

export interface Sides {
  here: string;
  there: string;
}

const scan: Partial<Record<AddDeviceView['step'], Sides>> = {
  start: {
    here: 'Keep this code in sight until the device has connected.',
    there: 'Open the authenticator and scan the code.',
  },
  notify: {
    here: 'Say whether the device that has connected is yours.',
    there: 'It waits for your answer; nothing to do there.',
  },
};

const type: Partial<Record<AddDeviceView['step'], Sides>> = {
  start: {
    here: 'Keep this code in sight until the device has connected.',
    there: 'Open the authenticator and type the code.',
  },
  notify: {
    here: 'Enter the two characters that the new device shows.',
    there: 'Read the two characters of the verification code.',
  },
};

/** What happens on this screen and on the new device, one sentence each. */
export function sidesOf(kind: CodeKind, { step }: AddDeviceView): Sides {
  const sides = kind === 'QID' ? scan : type;
  const known = step === 'failed' ? sides.notify : sides[step];
  return known ?? sides.start ?? { here: '', there: '' };
}
