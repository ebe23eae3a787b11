let handle: ((event: PopStateEvent) => void) | undefined;

// Browsers call the listeners of a window in the order in which they came, capturing or not. So this stands here, in a
// module of its own that is loaded before the router: whoever asks before a form is left must hear of Back first.
window.addEventListener('popstate', (event) => handle?.(event), { capture: true });

/** Who hears of Back and Forward before the router does. */
export function hearPopsFirst(listener: (event: PopStateEvent) => void): void {
  handle = listener;
}
