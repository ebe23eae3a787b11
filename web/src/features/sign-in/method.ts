import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { createContext, useEffect, useRef } from 'react';
import { supportsPasskeys } from '#lib/session/browser-state.ts';

/** Sign-in methods by their name in the URL (`?with=scan`), in tab order. */
const all = ['scan', 'code', 'device', 'passkey'] as const;
export type SignInMethod = (typeof all)[number];

export const methodLabels: Record<SignInMethod, string> = {
  scan: t`Scan`,
  code: t`Type code`,
  device: t`My device`,
  passkey: t`Passkey`,
};

/** Returns the methods that the organisation or application allows and this browser supports. */
export function availableMethods({
  didEnabled,
  webAuthnEnabled,
}: Pick<OrgSettings, 'didEnabled' | 'webAuthnEnabled'>): SignInMethod[] {
  const isOpen: Partial<Record<SignInMethod, boolean>> = {
    code: didEnabled,
    passkey: webAuthnEnabled && supportsPasskeys(),
  };
  return all.filter((method) => isOpen[method] ?? true);
}

/**
 * Returns the method from the URL: null if the user hasn't chosen a method yet, or the first available method if the
 * URL's method is unknown or not available.
 */
export function methodFromUrl(search: URLSearchParams, methods: SignInMethod[]): SignInMethod | null {
  const named = search.get('with');
  if (named === null) return null;
  return methods.find((method) => method === named) ?? methods[0] ?? null;
}

/**
 * Focuses an element on mount if the button that opened it is gone. Otherwise keyboard and screen reader users would
 * restart at the top of the page. The element needs `tabIndex={-1}`.
 */
export function useFocusOnMount(isWanted: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const isWantedAtFirst = useRef(isWanted);
  useEffect(() => {
    // Something inside can have taken the focus already.
    const isInside = element.current?.contains(document.activeElement);
    if (isWantedAtFirst.current && !isInside) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}

/** Lets a running sign-in reduce the page to its status, and close its method. */
export const SignInStage = createContext({
  isApproving: false,
  setIsApproving: (_isApproving: boolean): void => undefined,
  /** Returns to the page's first state, which withdraws the pending sign-in. */
  close: (): void => undefined,
});
