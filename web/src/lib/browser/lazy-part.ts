// biome-ignore lint/style/noRestrictedImports: lazyPart is the only place that uses it.
import { type ComponentType, lazy, useSyncExternalStore } from 'react';
import { logQuietly } from '#adapters/browser.ts';

/** Why files can't be loaded: the portal is unreachable, a newer version has replaced the files, or another reason. */
type MissingReason = 'away' | 'replaced' | 'other' | undefined;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

let waiting = 0;
let missing: MissingReason;
const listeners = new Set<() => void>();

function setMissing(next: MissingReason): void {
  missing = next;
  for (const listener of listeners) listener();
}

/** Returns why components of the visible page are waiting for their files, or undefined if none are. */
export const useMissingParts = (): MissingReason =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => missing,
  );

/** Detects a failed import by its message in Chromium, Firefox and Safari, because the error has no specific name. */
const isNotLoaded = (failure: unknown) =>
  failure instanceof TypeError && /dynamically imported module|importing a module script/i.test(failure.message);

/** Checks whether the portal is reachable, and whether it now serves another version of the client. */
async function findReason(): Promise<MissingReason> {
  // The last script is the client's; those before it are libraries.
  const own = Array.from(document.querySelectorAll('script[type=module]')).at(-1)?.getAttribute('src');
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    if (!answer.ok) return 'away';
    return own != null && !(await answer.text()).includes(own) ? 'replaced' : 'other';
  } catch {
    return 'away';
  }
}

/** Reloads the page unless that would lose unsaved input. */
function reload(): void {
  const isNothingTyped = window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  if (isNothingTyped) window.location.reload();
}

/** Retries until the files can be loaded. Reloads the page if a newer version has replaced them. */
async function loadLater<Part>(load: () => Promise<Part>): Promise<Part> {
  waiting += 1;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      setMissing(await findReason());
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
 * Imports a module of the client, retrying until its files can be loaded. Meanwhile, `useMissingParts` returns the
 * reason.
 * @throws any error that the module itself throws on import
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (failure) {
    logQuietly("Part of the page couldn't be loaded.", failure);
    if (!isNotLoaded(failure)) throw failure;
    return loadLater(load);
  }
}

/**
 * Like React's `lazy`, but loads with `loadPart`, so the surrounding page and its input survive if the files can't be
 * loaded.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => loadPart(load));
