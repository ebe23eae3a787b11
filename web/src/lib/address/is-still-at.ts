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
