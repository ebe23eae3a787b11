import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';

const ROLE = 'role';
const DIALOG = 'dialog';

/** Additional dialogs for an existing role. */
const ABOUT_ROLE = ['delete', 'duplicate'] as const;

export type RoleDialogName = 'create' | 'view' | (typeof ABOUT_ROLE)[number];

/**
 * Reads and changes the dialog in the URL: `?role=HELPDESK_ADMIN`, `?role=…&dialog=delete`, `…&dialog=duplicate`,
 * `?dialog=create`. Going back closes the dialog.
 */
export function useRoleAddress() {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const change = useAddressChange();
  const roleCode = search.get(ROLE);
  const named = search.get(DIALOG);
  const dialog: RoleDialogName | null =
    named === 'create' ? 'create' : roleCode ? (ABOUT_ROLE.find((each) => each === named) ?? 'view') : null;

  const addressOf = useCallback(
    (code: string, dialogName?: 'delete') =>
      `${pathname}?${new URLSearchParams({ [ROLE]: code, ...(dialogName && { [DIALOG]: dialogName }) })}`,
    [pathname],
  );
  const open = useCallback((code: string) => change({ [ROLE]: code, [DIALOG]: null }, { isStep: true }), [change]);
  const askDelete = useCallback((code: string) => change({ [ROLE]: code, [DIALOG]: 'delete' }), [change]);
  const duplicate = useCallback((code: string) => change({ [ROLE]: code, [DIALOG]: 'duplicate' }), [change]);
  const create = useCallback(() => change({ [ROLE]: null, [DIALOG]: 'create' }, { isStep: true }), [change]);
  const close = useCallback(() => change({ [ROLE]: null, [DIALOG]: null }), [change]);
  return { dialog, roleCode, addressOf, open, askDelete, duplicate, create, close };
}
