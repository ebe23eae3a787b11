/** Of an address as the browser writes it. */
function asWritten(path: string): string {
  const there = new URL(window.location.href);
  there.pathname = path;
  return there.pathname;
}

/**
 * Whether the browser is still at this path. The router draws an address later than it takes it: what a page was drawn
 * with may be old when something that was waited for is due.
 */
export const isStillAt = (path: string): boolean => window.location.pathname === asWritten(path);

/** Whether the browser is still at this path or below it. */
export const isStillWithin = (path: string): boolean =>
  isStillAt(path) || window.location.pathname.startsWith(`${asWritten(path)}/`);
