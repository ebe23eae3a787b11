import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '../browser/stored.ts';

/** Keys of this tab's storage with one user's data, which contains the user's `suid`. */
export const PERSONAL = {
  drafts: 'orchestrate.drafts',
  samlForm: 'orchestrate.saml-form',
  addDevice: 'orchestrate.add-device',
  returnTo: 'orchestrate.return',
} as const;

/** Removes the stored data of all users except `suid`, if given. Values without an owner stay. */
export function forgetOthers(suid?: string): void {
  for (const key of Object.values(PERSONAL)) {
    const stored: unknown = readJson(readStored(key, 'sessionStorage'));
    const owner = typeof stored === 'object' && stored !== null && 'suid' in stored ? stored.suid : undefined;
    const isPersonal = typeof owner === 'string' || key === PERSONAL.samlForm;
    if (isPersonal && owner !== suid) writeStored(key, null, 'sessionStorage');
  }
}
