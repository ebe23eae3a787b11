import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '../../../lib/browser/stored.ts';

/** What the first dialog of a SAML application passes to its editor. */
export interface SamlDraft {
  name: string;
  description: string;
  /** The id that the portal proposed. */
  appId: string;
}

const KEY = 'orchestrate.saml-form';

/**
 * Keeps the draft for this tab, so that a reload does not lose it; null removes it. Without storage the editor leads
 * back to the list, where people begin again.
 */
export const keepSamlDraft = (draft: SamlDraft | null): void =>
  writeStored(KEY, draft && JSON.stringify(draft), 'sessionStorage');

/** The draft; null where there is none, or the stored value is invalid. */
export function readSamlDraft(): SamlDraft | null {
  const stored = readJson(readStored(KEY, 'sessionStorage'));
  if (typeof stored !== 'object' || stored === null) return null;
  const { name, description, appId }: Partial<Record<keyof SamlDraft, unknown>> = stored;
  if (typeof name !== 'string' || typeof description !== 'string' || typeof appId !== 'string') return null;
  return { name, description, appId };
}
