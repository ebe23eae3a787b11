import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';

/** The page that the tests stand on. */
declare const jsdom: { reconfigure(settings: { url: string }): void };

// The files of a worker share one page: each begins as if it were the first.
beforeAll(() => {
  jsdom.reconfigure({ url: 'http://localhost:3000/' });
  window.history.replaceState(null, '');
  localStorage.clear();
  sessionStorage.clear();
  // What an open dialog had done to the page.
  for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
});

afterEach(cleanup);

// A test goes on as soon as it can; on a busy machine that may take longer than the second that is the default.
configure({ asyncUtilTimeout: 5_000, getElementError });

/**
 * What a query says that found nothing, with the page as it was. While something is awaited, queries fail again and
 * again: the page is only written out for the error that somebody reads.
 */
function getElementError(message: string | null, page: Element): Error {
  return Object.defineProperty(Object.assign(new Error(), { name: 'TestingLibraryElementError' }), 'message', {
    configurable: true,
    get: () => [message, prettyDOM(page)].filter(Boolean).join('\n\n'),
  });
}

// Testing Library lets time pass only where it finds Jest's fake timers; Vitest's are called the same.
Object.assign(globalThis, { jest: vi });

// jsdom knows the names of animations but never ends one, and what fades out would wait for that.
const still = document.getElementById('still') ?? document.createElement('style');
still.id = 'still';
if (!still.isConnected) keepDrawing(window.requestAnimationFrame);
still.textContent = '* { animation-name: none !important; }';
document.head.append(still);

/**
 * jsdom draws frames by an interval that it starts when something waits for one and ends when nothing does. Started
 * while a test fakes the timers it would be a fake one, and no frame would follow for the rest of the worker: a dialog
 * that closes would wait for one in vain. So something always waits for the next frame.
 */
function keepDrawing(nextFrame: typeof requestAnimationFrame): void {
  nextFrame(() => keepDrawing(nextFrame));
}

// jsdom lays nothing out, so nothing ever changes its size.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

// Nor does anything have to be brought into sight.
Element.prototype.scrollIntoView ??= () => undefined;

// Nothing ever comes into sight either, unless a test says otherwise.
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

// Nor has it a width: no media query ever holds, unless a test says otherwise.
globalThis.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} });
