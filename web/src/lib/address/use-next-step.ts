import { type NavigateOptions, type To, useLocation, useNavigate } from 'react-router-dom';

/**
 * Like `useNavigate`, for a step after an answer: it does nothing once the person has gone to another page.
 * @param within the path below which everything belongs to the page; only the present path where absent.
 */
export function useNextStep(within?: string) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (to: To, options?: NavigateOptions) => {
    if (within === undefined ? isStillAt(pathname) : isStillWithin(within)) void navigate(to, options);
  };
}

/** A path as the browser writes it. */
function asWritten(path: string): string {
  const there = new URL(window.location.href);
  there.pathname = path;
  return there.pathname;
}

/**
 * Whether the browser is still at this path. The router renders an address after taking it, so after waiting for
 * something, a page's own location may be outdated.
 */
export const isStillAt = (path: string): boolean => window.location.pathname === asWritten(path);

/** Whether the browser is still at this path or below it. */
export const isStillWithin = (path: string): boolean =>
  isStillAt(path) || window.location.pathname.startsWith(`${asWritten(path)}/`);
