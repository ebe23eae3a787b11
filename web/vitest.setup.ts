import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';

/** The page that vitest's jsdom has loaded. */
declare const jsdom: { reconfigure(settings: { url: string }): void };

// The test files of a worker share one page, so each begins by resetting it.
beforeAll(() => {
  jsdom.reconfigure({ url: 'http://localhost:3000/' });
  window.history.replaceState(null, '');
  localStorage.clear();
  sessionStorage.clear();
  // Attributes that an open dialog has set.
  for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
});

afterEach(cleanup);

// A test continues as soon as it can, but a busy machine may need much longer than the default of one second.
configure({ asyncUtilTimeout: 60_000, getElementError });

/**
 * The error of a query that found nothing, with the page at that time. While a test waits, its queries fail repeatedly,
 * so the page is serialised only when the message is read.
 */
function getElementError(message: string | null, page: Element): Error {
  return Object.defineProperty(Object.assign(new Error(), { name: 'TestingLibraryElementError' }), 'message', {
    configurable: true,
    get: () => [message, prettyDOM(page)].filter(Boolean).join('\n\n'),
  });
}

// Testing Library advances fake timers only if it finds Jest's; Vitest's have the same methods.
Object.assign(globalThis, { jest: vi });

// jsdom never ends an animation, so anything that fades out would wait for ever.
const still = document.getElementById('still') ?? document.createElement('style');
still.id = 'still';
if (!still.isConnected) keepDrawing(window.requestAnimationFrame);
still.textContent = '* { animation-name: none !important; }';
document.head.append(still);

/**
 * jsdom draws frames from an interval, which it starts when something waits for a frame and stops when nothing does. If
 * a test with fake timers started it, the interval would be fake too, and no frame would follow for the rest of the
 * worker: a closing dialog would wait in vain. So something always waits for the next frame.
 */
function keepDrawing(nextFrame: typeof requestAnimationFrame): void {
  nextFrame(() => keepDrawing(nextFrame));
}

// jsdom has no layout, so nothing ever changes its size.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

// Without layout there is nothing to scroll.
Element.prototype.scrollIntoView ??= () => undefined;

// Nothing ever comes into view, unless a test replaces this.
globalThis.IntersectionObserver ??= class {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): IntersectionObserverEntry[] {
    return [];
  }
};

// The page has no width, so no media query matches, unless a test replaces this.
globalThis.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} });
