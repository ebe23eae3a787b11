// biome-ignore lint/style/noRestrictedImports: lazyPart is the only place that uses it.
import { type ComponentType, lazy, useSyncExternalStore } from 'react';
import { logQuietly } from '#adapters/log.ts';

/** Why files cannot be loaded: the portal does not answer, a newer one no longer has them, or something else. */
type Missing = 'away' | 'replaced' | 'other' | undefined;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

let waiting = 0;
let missing: Missing;
const listeners = new Set<() => void>();

function setMissing(next: Missing): void {
  missing = next;
  for (const listener of listeners) listener();
}

/** Whether parts of the page in view wait for their files. */
export const useMissingParts = (): Missing =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => missing,
  );

/** What Chromium, Firefox and Safari call a file that they could not load; the failure has no name of its own. */
const isNotLoaded = (failure: unknown) =>
  failure instanceof TypeError && /dynamically imported module|importing a module script/i.test(failure.message);

/** Asks the portal whether it is there, and whether it now serves another client than the one that runs here. */
async function whyMissing(): Promise<Missing> {
  const own = document.querySelector('script[type=module]')?.getAttribute('src');
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    if (!answer.ok) return 'away';
    return own != null && !(await answer.text()).includes(own) ? 'replaced' : 'other';
  } catch {
    return 'away';
  }
}

/** Opens the page again, unless something typed in it would be lost. */
function reload(): void {
  const isNothingTyped = window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  if (isNothingTyped) window.location.reload();
}

/** Tries again until the files are there; where a newer portal has replaced them, the page must be loaded again. */
async function loadLater<Part>(load: () => Promise<Part>): Promise<Part> {
  waiting += 1;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      setMissing(await whyMissing());
      if (missing === 'replaced') reload();
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        return await load();
      } catch (failure) {
        if (!isNotLoaded(failure)) throw failure;
      }
    }
  } finally {
    waiting -= 1;
    if (waiting === 0) setMissing(undefined);
  }
}

/**
 * Loads a part of the client. Where its files cannot be loaded it waits until they can, which `useMissingParts` tells.
 * @throws what the part itself throws while it starts
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (failure) {
    logQuietly('A part of the page could not be loaded.', failure);
    if (!isNotLoaded(failure)) throw failure;
    return loadLater(load);
  }
}

/** `lazy` of React for a part that waits for its files: what is around it stays, with everything typed into it. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => loadPart(load));
