let handle: ((event: PopStateEvent) => void) | undefined;

// Browsers call a window's listeners in registration order, capturing or not. This module must be loaded before the
// router, because the navigation guard must handle Back first.
window.addEventListener('popstate', (event) => handle?.(event), { capture: true });

/** Sets a listener for Back and Forward that runs before the router's listener. */
export function onPopStateFirst(listener: (event: PopStateEvent) => void): void {
  handle = listener;
}
