/**
 * Gives the focus to the heading of the page, so that screen readers say where one is; to the page where it has none
 * yet.
 */
export function focusHeading(main: HTMLElement | null): void {
  const heading = main?.querySelector('h1') ?? undefined;
  if (heading) {
    heading.tabIndex = -1;
    // As the page itself, a heading is not a control, and shows no ring.
    heading.style.outline = 'none';
  }
  (heading ?? main)?.focus({ preventScroll: true });
}
