import { t } from '@lingui/core/macro';
import { type ElementName, type FrameDriver, StepError } from '../scenes/scene.ts';

const POLL_MS = 60;
const TIMEOUT_MS = 8_000;
/** How long a ring is displayed around a pressed element, in milliseconds. */
const PRESS_MS = 420;
const LETTER_MS = 28;
/** How long a page must stay unchanged to be considered loaded, in milliseconds. */
const CALM_MS = 350;
const CALM_MAX_MS = 4_000;

/** Maximum number of pointer moves over an item in a menu that has just opened. */
const MOVES_MAX = 20;

const PRESSABLE = 'button, a[href], label, [role=menuitem], [role=tab], [role=radio]';
const FIELDS = 'input, textarea';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isWanted = (name: string, wanted: ElementName) =>
  typeof wanted === 'string' ? name === wanted : name.startsWith(wanted.begins);
const nameOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

/** Returns true if a user could currently press the element. */
function isReachable(element: Element): boolean {
  const isOff = element.matches(':disabled, [aria-disabled=true], [inert] *, [aria-hidden=true] *');
  return !isOff && element.getClientRects().length > 0;
}

/**
 * Operates a page of the portal in a same-origin frame. Finds elements by their accessible names and dispatches the
 * events of a real press.
 */
export function frameDriver(frame: () => HTMLIFrameElement | null): FrameDriver {
  async function waitFor<T>(look: (page: Document) => T | undefined, what: string): Promise<T> {
    for (let waited = 0; waited < TIMEOUT_MS; waited += POLL_MS) {
      const page = frame()?.contentDocument;
      const found = page && look(page);
      if (found) return found;
      await wait(POLL_MS);
    }
    throw new StepError(t`Couldn't find ${what} on the screen. Reset the scene to start over.`);
  }

  return {
    async open(path) {
      const present = frame();
      if (!present?.contentWindow) throw new StepError(t`The window was closed. Reset the scene to start over.`);
      const loaded = new Promise((resolve) => present.addEventListener('load', resolve, { once: true }));
      present.contentWindow.location.assign(path);
      await loaded;
    },

    async press(name) {
      const what = t`“${typeof name === 'string' ? name : name.begins}”`;
      await calm(frame()?.contentDocument);
      const found = await waitFor(
        (page) =>
          [...page.querySelectorAll<HTMLElement>(PRESSABLE)].findLast(
            (element) => isReachable(element) && isWanted(nameOf(element), name),
          ),
        what,
      );
      await point(found);
      await pressLikeAPointer(found);
    },

    async type(label, text) {
      const field = await waitFor(
        (page) =>
          [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)].find((element) =>
            [element.getAttribute('aria-label') ?? '', ...[...(element.labels ?? [])].map(nameOf)].some(
              (name) => name !== '' && isWanted(name, label),
            ),
          ),
        t`the field`,
      );
      field.focus();
      for (let length = 1; length <= text.length; length += 1) {
        write(field, text.slice(0, length));
        await wait(LETTER_MS);
      }
    },

    find: (selector) => waitFor((page) => page.querySelector(selector) ?? undefined, t`the element for this step`),
  };
}

/** Resolves when the page has stopped changing, because a page can replace its elements while it loads. */
async function calm(page: Document | null | undefined): Promise<void> {
  if (!page) return;
  let quietMs = 0;
  const watch = new MutationObserver(() => {
    quietMs = 0;
  });
  watch.observe(page, { childList: true, subtree: true });
  for (let waited = 0; quietMs < CALM_MS && waited < CALM_MAX_MS; waited += POLL_MS) {
    await wait(POLL_MS);
    quietMs += POLL_MS;
  }
  watch.disconnect();
}

/** Draws a ring around the element about to be pressed, for the viewer. */
async function point(element: HTMLElement): Promise<void> {
  element.scrollIntoView({ block: 'nearest' });
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) ringAround(element);
  await wait(PRESS_MS);
}

function ringAround(element: HTMLElement): void {
  const ring = (width: number, opacity: number) => `0 0 0 ${width}px rgb(59 130 246 / ${opacity})`;
  element.animate([{ boxShadow: ring(0, 0.9) }, { boxShadow: ring(10, 0) }], {
    duration: PRESS_MS,
    easing: 'ease-out',
  });
}

/** Presses an element with pointer events, because menus only select the item under the pointer. */
async function pressLikeAPointer(element: HTMLElement): Promise<void> {
  const view = element.ownerDocument.defaultView;
  if (!view) return;
  const box = element.getBoundingClientRect();
  const point = (type: string, right = 0) => {
    const at = { clientX: box.x + box.width / 2 + right, clientY: box.y + box.height / 2 };
    element.dispatchEvent(
      new view.PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'mouse', ...at }),
    );
  };
  if (element.matches('[role=menuitem]')) {
    for (let right = 0; right < MOVES_MAX && !element.hasAttribute('data-highlighted'); right += 1) {
      point('pointermove', right);
      await wait(POLL_MS);
    }
  }
  point('pointerdown');
  point('pointerup');
  element.click();
}

/**
 * Sets a field's value, bypassing React's own `value` setter. With React's setter, React would ignore the input
 * event.
 */
function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
