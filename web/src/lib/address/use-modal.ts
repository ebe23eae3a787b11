import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from './use-address-change.ts';

const MODALS = ['add-device', 'test-device', 'edit-profile', 'invite', 'add-user', 'logout'] as const;

/** Dialogs that can open above any page of the private area; `layout/modals.tsx` draws them. */
export type ModalName = (typeof MODALS)[number];

const PARAMETER = 'modal';

/**
 * Which dialog of the shell is open above the page. The menu can be used while the next page is still on its way, so it
 * opens a dialog above whichever page the browser is at.
 */
export const useModal = () => useModalOf(MODALS, { isForAnyPage: true });

/**
 * Which of the named dialogs is open above the page. It is in the address (`?modal=test-device`), so that every menu,
 * palette entry or link opens it in the same way, a reload keeps it and Back closes it.
 */
export function useModalOf<Name extends string>(names: readonly Name[], { isForAnyPage = false } = {}) {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const asked = search.get(PARAMETER);

  const open = useCallback(
    (modal: Name) => changeAddress({ [PARAMETER]: modal }, { isStep: true, isForAnyPage }),
    [changeAddress, isForAnyPage],
  );
  const close = useCallback(() => changeAddress({ [PARAMETER]: null }), [changeAddress]);
  return { modal: names.find((name) => name === asked) ?? null, open, close };
}
