/** What the first dialog of a SAML application passes to its editor. */
export interface SamlDraft {
  name: string;
  description: string;
  /** The id that the portal proposed. */
  appId: string;
}

const KEY = 'orchestrate.saml-form';

/** Keeps the draft for this tab, so that a reload does not lose it; null removes it. */
export function keepSamlDraft(draft: SamlDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage the editor leads back to the list, where people begin again.
  }
}

/** The draft; null where there is none, or the stored value is invalid. */
export function readSamlDraft(): SamlDraft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { name, description, appId }: Partial<Record<keyof SamlDraft, unknown>> = stored;
    if (typeof name !== 'string' || typeof description !== 'string' || typeof appId !== 'string') return null;
    return { name, description, appId };
  } catch {
    return null;
  }
}
