import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from './use-address-change.ts';

const MODALS = ['add-device', 'test-device', 'edit-profile', 'invite', 'add-user', 'logout'] as const;

/** Dialogs that can open above any page of the private area, rendered by `layout/modals.tsx`. */
export type ModalName = (typeof MODALS)[number];

const PARAMETER = 'modal';

/**
 * The shell's dialog that is open above the page. The menu can be used while the next page is loading, so opening a
 * dialog applies to the browser's current page.
 */
export const useModal = () => useModalOf(MODALS, { isForAnyPage: true });

/**
 * The named dialog that is open above the page. It is part of the address (`?modal=test-device`), so that menus, palette
 * entries and links can open it, a reload keeps it and Back closes it.
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
