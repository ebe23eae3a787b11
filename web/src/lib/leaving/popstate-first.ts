let handle: ((event: PopStateEvent) => void) | undefined;

// Browsers call a window's listeners in the order of their registration, capturing or not. So this module is loaded
// before the router, because the navigation guard must handle Back first.
window.addEventListener('popstate', (event) => handle?.(event), { capture: true });

/** Sets the listener for Back and Forward that runs before the router's. */
export function onPopStateFirst(listener: (event: PopStateEvent) => void): void {
  handle = listener;
}
