import type { OrgSettings } from '@orchestrate/shared';
import { supportsPasskeys } from '../../lib/session/supports-passkeys.ts';

/** The ways to sign in, as the address names them (`?with=scan`), in the order of their tabs. */
const all = ['scan', 'code', 'device', 'passkey'] as const;
export type Way = (typeof all)[number];

export const wayLabel: Record<Way, string> = {
  scan: 'Scan',
  code: 'Type code',
  device: 'My device',
  passkey: 'Passkey',
};

/** The instruction, one sentence below the title. */
export const wayText: Record<Way, string> = {
  scan: 'Scan with your authenticator, then approve.',
  code: 'In your authenticator, choose Type code.',
  device: 'Approve on the phone that you have registered.',
  passkey: 'Confirm as you unlock this device, or with your security key.',
};

/** The ways that the organisation, or one of its applications, allows, and that this browser supports. */
export function waysOf({ didEnabled, webAuthnEnabled }: Pick<OrgSettings, 'didEnabled' | 'webAuthnEnabled'>): Way[] {
  const isOpen: Partial<Record<Way, boolean>> = {
    code: didEnabled,
    passkey: webAuthnEnabled && supportsPasskeys(),
  };
  return all.filter((way) => isOpen[way] ?? true);
}

/**
 * The way that the address names: null while nobody has pressed the button, the first allowed one for a way that isn't.
 */
export function wayIn(search: URLSearchParams, ways: Way[]): Way | null {
  const named = search.get('with');
  if (named === null) return null;
  return ways.find((way) => way === named) ?? ways[0] ?? null;
}
