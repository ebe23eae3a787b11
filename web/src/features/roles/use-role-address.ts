import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

const ROLE = 'role';
const DIALOG = 'dialog';

export type RoleDialogName = 'create' | 'view' | 'delete';

/** Which role is open, and how: `?role=HELPDESK_ADMIN`, `?role=…&dialog=delete`, `?dialog=create`. Back closes it. */
export function useRoleAddress() {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const roleCode = search.get(ROLE);
  const named = search.get(DIALOG);
  const dialog: RoleDialogName | null =
    named === 'create' ? 'create' : roleCode ? (named === 'delete' ? 'delete' : 'view') : null;

  const addressOf = useCallback(
    (code: string, asked?: 'delete') =>
      `${pathname}?${new URLSearchParams({ [ROLE]: code, ...(asked && { [DIALOG]: asked }) })}`,
    [pathname],
  );
  const open = useCallback((code: string) => void navigate(addressOf(code)), [navigate, addressOf]);
  const askDelete = useCallback(
    (code: string) => void navigate(addressOf(code, 'delete'), { replace: true }),
    [navigate, addressOf],
  );
  const create = useCallback(() => void navigate(`${pathname}?${DIALOG}=create`), [navigate, pathname]);
  const close = useCallback(() => void navigate(pathname, { replace: true }), [navigate, pathname]);
  return { dialog, roleCode, addressOf, open, askDelete, create, close };
}
