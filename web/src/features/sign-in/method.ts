import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { useEffect, useRef } from 'react';
import { supportsPasskeys } from '#lib/session/browser-state.ts';

/** Sign-in methods by their name in the address (`?with=scan`), in tab order. */
const all = ['scan', 'code', 'device', 'passkey'] as const;
export type Method = (typeof all)[number];

export const methodLabel: Record<Method, string> = {
  scan: t`Scan`,
  code: t`Type code`,
  device: t`My device`,
  passkey: t`Passkey`,
};

/** One-sentence instruction below the title. */
export const methodText: Record<Method, string> = {
  scan: t`Scan with your authenticator, then approve.`,
  code: t`In your authenticator, choose Type code.`,
  device: t`Approve on the device that you have registered.`,
  passkey: t`Confirm the way you unlock this device, or with your security key.`,
};

/** Returns the methods that the organisation or application allows and this browser supports. */
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
 * Returns the method in the address: null before the button was pressed, the first allowed one if it is unknown or not
 * allowed.
 */
export function methodIn(search: URLSearchParams, methods: Method[]): Method | null {
  const named = search.get('with');
  if (named === null) return null;
  return methods.find((method) => method === named) ?? methods[0] ?? null;
}

/**
 * Focuses an element on mount if the button that opened it is gone: otherwise keyboards and screen readers would
 * restart at the top of the page. The element needs `tabIndex={-1}`.
 */
export function useFocusOnMount(isWanted: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const isWantedAtFirst = useRef(isWanted);
  useEffect(() => {
    if (isWantedAtFirst.current) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
