import type { PhoneLie } from '@orchestrate/shared';

/** How a phone lies, in words. */
export const LIES: Record<PhoneLie, string> = {
  'wrong-key': 'signed with another key',
  replay: 'sent before',
  altered: 'changed after signing',
  old: 'signed ten minutes ago',
  future: 'signed in ten minutes',
  'other-audience': 'signed for another organisation',
  'unknown-device': 'from an unknown device',
  'lost-device': 'from a lost device',
};
