import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from './use-address-change.ts';

const MODALS = ['add-device', 'test-device', 'edit-profile', 'invite', 'logout'] as const;

/** Dialogs that can open above any page of the private area; `layout/modals.tsx` draws them. */
export type ModalName = (typeof MODALS)[number];

const PARAMETER = 'modal';

/** Which dialog of the shell is open above the page. */
export const useModal = () => useModalOf(MODALS);

/**
 * Which of the named dialogs is open above the page. It is in the address (`?modal=test-device`), so that every menu,
 * palette entry or link opens it in the same way, a reload keeps it and Back closes it.
 */
export function useModalOf<Name extends string>(names: readonly Name[]) {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const asked = search.get(PARAMETER);

  const open = useCallback((modal: Name) => changeAddress({ [PARAMETER]: modal }, { isStep: true }), [changeAddress]);
  const close = useCallback(() => changeAddress({ [PARAMETER]: null }), [changeAddress]);
  return { modal: names.find((name) => name === asked) ?? null, open, close };
}
