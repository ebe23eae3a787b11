import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { supportsPasskeys } from '#lib/session/browser-state.ts';

/** The sign-in methods, as the address names them (`?with=scan`), in the order of their tabs. */
const all = ['scan', 'code', 'device', 'passkey'] as const;
export type Method = (typeof all)[number];

export const methodLabel: Record<Method, string> = {
  scan: t`Scan`,
  code: t`Type code`,
  device: t`My device`,
  passkey: t`Passkey`,
};

/** The instruction, one sentence below the title. */
export const methodText: Record<Method, string> = {
  scan: t`Scan with your authenticator, then approve.`,
  code: t`In your authenticator, choose Type code.`,
  device: t`Approve on the device that you have registered.`,
  passkey: t`Confirm the way you unlock this device, or with your security key.`,
};

/** The methods that the organisation, or one of its applications, allows, and that this browser supports. */
export function methodsOf({
  didEnabled,
  webAuthnEnabled,
}: Pick<OrgSettings, 'didEnabled' | 'webAuthnEnabled'>): Method[] {
  const isOpen: Partial<Record<Method, boolean>> = {
    code: didEnabled,
    passkey: webAuthnEnabled && supportsPasskeys(),
  };
  return all.filter((method) => isOpen[method] ?? true);
}

/**
 * The method that the address names: null while nobody has pressed the button, the first allowed one for an unknown
 * or closed one.
 */
export function methodIn(search: URLSearchParams, methods: Method[]): Method | null {
  const named = search.get('with');
  if (named === null) return null;
  return methods.find((method) => method === named) ?? methods[0] ?? null;
}
