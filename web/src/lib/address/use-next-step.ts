import { type NavigateOptions, type To, useLocation, useNavigate } from 'react-router-dom';

/**
 * Like `useNavigate`, for navigating after a response: does nothing if the user has left the page in the meantime.
 * @param within path prefix of the page; defaults to the current path
 */
export function useGuardedNavigate(within?: string) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (to: To, options?: NavigateOptions) => {
    if (within === undefined ? isStillAt(pathname) : isStillWithin(within)) void navigate(to, options);
  };
}

/** Normalises a path as the browser does, to compare it with the URL. */
function asWritten(path: string): string {
  const there = new URL(window.location.href);
  there.pathname = path;
  return there.pathname;
}

/**
 * Returns true if the browser is still at a path. A component's own location can be outdated after an await, because
 * the router changes the URL before it renders.
 */
export const isStillAt = (path: string): boolean => window.location.pathname === asWritten(path);

/** Returns true if the browser is still at a path or below it. */
export const isStillWithin = (path: string): boolean =>
  isStillAt(path) || window.location.pathname.startsWith(`${asWritten(path)}/`);
