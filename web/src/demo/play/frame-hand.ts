import { t } from '@lingui/core/macro';
import { type Hand, HandFailed, type Named } from '../scenes/scene.ts';

const LOOK_MS = 60;
const PATIENCE_MS = 8_000;
/** Long enough to see what is pressed. */
const PRESS_MS = 420;
const LETTER_MS = 28;
/** Without a change for this long a page counts as loaded; it is not waited for any longer than the second. */
const CALM_MS = 350;
const CALM_MAX_MS = 4_000;

/** How often the pointer moves over an item of a menu that has just opened. */
const MOVES_MAX = 20;

const PRESSABLE = 'button, a[href], label, [role=menuitem], [role=tab], [role=radio]';
const FIELDS = 'input, textarea';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isWanted = (name: string, wanted: Named) =>
  typeof wanted === 'string' ? name === wanted : name.startsWith(wanted.begins);
const nameOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

/** Whether a person could press it now. */
function isReachable(element: Element): boolean {
  const isOff = element.matches(':disabled, [aria-disabled=true], [inert] *, [aria-hidden=true] *');
  return !isOff && element.getClientRects().length > 0;
}

/**
 * Operates a page of the portal in a frame of the stage. Both have one origin, so the hand looks for what has a name,
 * as a person does, and acts on it with the events of a real press.
 */
export function frameHand(frame: () => HTMLIFrameElement | null): Hand {
  async function waitFor<T>(look: (page: Document) => T | undefined, what: string): Promise<T> {
    for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
      const page = frame()?.contentDocument;
      const found = page && look(page);
      if (found) return found;
      await wait(LOOK_MS);
    }
    throw new HandFailed(t`${what} is not on the screen. Reset the scene and start over.`);
  }

  return {
    async open(path) {
      const present = frame();
      if (!present?.contentWindow) throw new HandFailed(t`The window is closed. Reset the scene and start over.`);
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
        t`The field`,
      );
      field.focus();
      for (let length = 1; length <= text.length; length += 1) {
        write(field, text.slice(0, length));
        await wait(LETTER_MS);
      }
    },

    find: (selector) => waitFor((page) => page.querySelector(selector) ?? undefined, t`What the step needs`),
  };
}

/** Resolves once the page has stopped changing: a page that still loads would replace what has been found on it. */
async function calm(page: Document | null | undefined): Promise<void> {
  if (!page) return;
  let quietMs = 0;
  const watch = new MutationObserver(() => {
    quietMs = 0;
  });
  watch.observe(page, { childList: true, subtree: true });
  for (let waited = 0; quietMs < CALM_MS && waited < CALM_MAX_MS; waited += LOOK_MS) {
    await wait(LOOK_MS);
    quietMs += LOOK_MS;
  }
  watch.disconnect();
}

/** A ring around what is pressed, for those who watch. */
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

/** A menu chooses the item to which the pointer has moved, so a click alone would choose nothing there. */
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
      await wait(LOOK_MS);
    }
  }
  point('pointerdown');
  point('pointerup');
  element.click();
}

/** React overrides the `value` setter of its inputs and would not notice a change that goes through it. */
function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
