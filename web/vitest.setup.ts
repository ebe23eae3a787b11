import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';

/** Vitest's jsdom instance. */
declare const jsdom: { reconfigure(settings: { url: string }): void };

// A worker's test files share one page, so each file resets it first.
beforeAll(() => {
  jsdom.reconfigure({ url: 'http://localhost:3000/' });
  window.history.replaceState(null, '');
  localStorage.clear();
  sessionStorage.clear();
  // Removes attributes that an open dialog has set.
  for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
});

afterEach(cleanup);

// A busy machine can need much longer than the default of one second.
configure({ asyncUtilTimeout: 60_000, getElementError });

/**
 * Creates the error for a failed query, with the page's content at that time. Queries fail repeatedly while a test
 * waits, so the page is serialised only when the message is read.
 */
function getElementError(message: string | null, page: Element): Error {
  return Object.defineProperty(Object.assign(new Error(), { name: 'TestingLibraryElementError' }), 'message', {
    configurable: true,
    get: () => [message, prettyDOM(page)].filter(Boolean).join('\n\n'),
  });
}

// Testing Library advances fake timers only if it finds Jest's. Vitest's timers have the same methods.
Object.assign(globalThis, { jest: vi });

// jsdom never finishes an animation, so elements that fade out would never be removed.
const still = document.getElementById('still') ?? document.createElement('style');
still.id = 'still';
if (!still.isConnected) keepDrawing(window.requestAnimationFrame);
still.textContent = '* { animation-name: none !important; }';
document.head.append(still);

/**
 * Requests animation frames continuously. jsdom renders frames from an interval that runs only while a frame is
 * requested. If a test with fake timers started the interval, it would be fake too, and the worker would get no more
 * frames.
 */
function keepDrawing(nextFrame: typeof requestAnimationFrame): void {
  nextFrame(() => keepDrawing(nextFrame));
}

// jsdom has no layout, so sizes never change.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

// jsdom doesn't implement scrolling.
Element.prototype.scrollIntoView ??= () => undefined;

// Elements never intersect unless a test replaces this class.
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

// No media query matches unless a test replaces this function.
globalThis.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} });
