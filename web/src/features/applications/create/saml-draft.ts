import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { PERSONAL } from '#lib/session/personal-storage.ts';
import { currentSession } from '#lib/session/session.ts';

/** What the first dialog of a SAML application passes to its editor. */
export interface SamlDraft {
  name: string;
  description: string;
  /** The id that the portal proposed. */
  appId: string;
}

const KEY = PERSONAL.samlForm;

const owner = () => currentSession()?.profile.suid;

/**
 * Keeps the draft for this tab and this person, so that a reload doesn't lose it; null removes it. Without storage the
 * editor leads back to the list, where people begin again.
 */
export const keepSamlDraft = (draft: SamlDraft | null): void =>
  writeStored(KEY, draft && JSON.stringify({ suid: owner(), ...draft }), 'sessionStorage');

/** The draft; null if there is none, it belongs to another person, or the stored value is invalid. */
export function readSamlDraft(): SamlDraft | null {
  const stored = readJson(readStored(KEY, 'sessionStorage'));
  if (typeof stored !== 'object' || stored === null) return null;
  const { suid, name, description, appId }: Partial<Record<keyof SamlDraft | 'suid', unknown>> = stored;
  if (suid !== owner()) return null;
  if (typeof name !== 'string' || typeof description !== 'string' || typeof appId !== 'string') return null;
  return { name, description, appId };
}
