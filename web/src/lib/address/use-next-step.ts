import { type NavigateOptions, type To, useLocation, useNavigate } from 'react-router-dom';

/**
 * `useNavigate` for navigating after a response: does nothing if the user has left the page in the meantime.
 * @param within path prefix of the page; defaults to the current path
 */
export function useNextStep(within?: string) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (to: To, options?: NavigateOptions) => {
    if (within === undefined ? isStillAt(pathname) : isStillWithin(within)) void navigate(to, options);
  };
}

/** Normalises a path like the browser. */
function asWritten(path: string): string {
  const there = new URL(window.location.href);
  there.pathname = path;
  return there.pathname;
}

/**
 * Returns true if the browser is still at a path. A component's own location can be outdated after an await, because the
 * router renders an address only after changing it.
 */
export const isStillAt = (path: string): boolean => window.location.pathname === asWritten(path);

/** Returns true if the browser is still at a path or below it. */
export const isStillWithin = (path: string): boolean =>
  isStillAt(path) || window.location.pathname.startsWith(`${asWritten(path)}/`);
