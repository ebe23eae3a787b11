import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

const MODALS = ['add-device', 'test-device', 'edit-profile', 'invite', 'logout'] as const;

/** Dialogs that can lie over any page of the private area; `layout/modals.tsx` draws them. */
export type ModalName = (typeof MODALS)[number];

const PARAMETER = 'modal';

/** Which dialog of the shell lies over the present page. */
export const useModal = () => useModalOf(MODALS);

/**
 * Which of the named dialogs lies over the present page. It stands in the address (`?modal=test-device`), so that every
 * menu, palette entry or link opens it the same way, a reload keeps it and Back closes it.
 */
export function useModalOf<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get(PARAMETER);

  const open = useCallback(
    (modal: Name) =>
      setSearch((present) => new URLSearchParams([...without(present), [PARAMETER, modal]]), {
        preventScrollReset: true,
      }),
    [setSearch],
  );
  const close = useCallback(
    () => setSearch((present) => without(present), { preventScrollReset: true, replace: true }),
    [setSearch],
  );
  return { modal: names.find((name) => name === asked) ?? null, open, close };
}

function without(search: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...search].filter(([name]) => name !== PARAMETER));
}
