import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from './use-address-change.ts';

const MODALS = ['add-device', 'test-device', 'edit-profile', 'invite', 'add-user', 'shortcuts', 'logout'] as const;

/** Dialogs that can open above any screen of the private area, rendered by `layout/modals.tsx`. */
export type ModalName = (typeof MODALS)[number];

const PARAMETER = 'modal';

/**
 * Returns the shell dialog that is open above the current screen. Dialogs open above the browser's current URL,
 * because users can open them from the menu while the next screen is still loading.
 */
export const useModal = () => useModalOf(MODALS, { isForAnyPage: true });

/**
 * Returns the named dialog that is open above the current screen. The dialog is part of the URL
 * (`?modal=test-device`), so menus, palette entries and links can open it, a reload keeps it, and Back closes it.
 */
export function useModalOf<Name extends string>(names: readonly Name[], { isForAnyPage = false } = {}) {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const requested = search.get(PARAMETER);

  const open = useCallback(
    (modal: Name) => changeAddress({ [PARAMETER]: modal }, { isStep: true, isForAnyPage }),
    [changeAddress, isForAnyPage],
  );
  const close = useCallback(() => changeAddress({ [PARAMETER]: null }), [changeAddress]);
  return { modal: names.find((name) => name === requested) ?? null, open, close };
}
