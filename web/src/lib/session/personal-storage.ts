import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '../browser/stored.ts';

/** Keys in this tab's storage for one user's data. Each value contains the user's `suid`. */
export const PERSONAL_STORAGE_KEYS = {
  drafts: 'orchestrate.drafts',
  samlForm: 'orchestrate.saml-form',
  addDevice: 'orchestrate.add-device',
  returnTo: 'orchestrate.return',
  recentMembers: 'orchestrate.recent-members',
} as const;

/**
 * Removes the stored data of all users, except the data of `suid` if provided. Keeps values without an owner, except
 * the SAML form.
 */
export function removeDataOfOtherUsers(suid?: string): void {
  for (const key of Object.values(PERSONAL_STORAGE_KEYS)) {
    const stored: unknown = readJson(readStored(key, 'sessionStorage'));
    const owner = typeof stored === 'object' && stored !== null && 'suid' in stored ? stored.suid : undefined;
    const isPersonal = typeof owner === 'string' || key === PERSONAL_STORAGE_KEYS.samlForm;
    if (isPersonal && owner !== suid) writeStored(key, null, 'sessionStorage');
  }
}
