import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { PERSONAL_STORAGE_KEYS } from '#lib/session/personal-storage.ts';
import { currentSession } from '#lib/session/session.ts';

/** Values passed from the first SAML dialog to the editor. */
export interface SamlDraft {
  name: string;
  description: string;
  /** Application ID proposed by the portal. */
  appId: string;
}

const KEY = PERSONAL_STORAGE_KEYS.samlForm;

const owner = () => currentSession()?.profile.suid;

/**
 * Stores the draft for this tab and user, which lets it survive a reload. Null removes the draft. If storage isn't
 * available, the editor returns to the list and the user starts again.
 */
export const storeSamlDraft = (draft: SamlDraft | null): void =>
  writeStored(KEY, draft && JSON.stringify({ suid: owner(), ...draft }), 'sessionStorage');

/** Returns the draft, or null if it is missing, invalid or another user's. */
export function readSamlDraft(): SamlDraft | null {
  const stored = readJson(readStored(KEY, 'sessionStorage'));
  if (typeof stored !== 'object' || stored === null) return null;
  const { suid, name, description, appId }: Partial<Record<keyof SamlDraft | 'suid', unknown>> = stored;
  if (suid !== owner()) return null;
  if (typeof name !== 'string' || typeof description !== 'string' || typeof appId !== 'string') return null;
  return { name, description, appId };
}
