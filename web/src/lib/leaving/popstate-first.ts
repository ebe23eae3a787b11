let handle: ((event: PopStateEvent) => void) | undefined;

// Browsers call the listeners of a window in the order in which they were added, capturing or not. So this is a module
// of its own that is loaded before the router: a guard that asks before a form is left must see Back first.
window.addEventListener('popstate', (event) => handle?.(event), { capture: true });

/** The listener that hears of Back and Forward before the router does. */
export function onPopStateFirst(listener: (event: PopStateEvent) => void): void {
  handle = listener;
}
