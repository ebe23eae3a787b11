import { type OrgSettings, readJson, type ScreenFiles, screenAt } from '@orchestrate/shared';
import { spokenLanguage } from '#words/words.ts';

/** What the server puts into the page: all screens' files, and the settings of the organisation in the address. */
interface Start {
  files: string[];
  screens: ScreenFiles[];
  orgCode?: string;
  settings?: OrgSettings;
}

/** Undefined on the development server, which puts nothing into the page. */
export const start = readJson(document.getElementById('start')?.textContent ?? null) as Start | undefined;
const preloaded = new Set<number>();

/** Returns the files of a screen that haven't been requested yet, and notes them as requested. */
function newFilesOf(path: string): string[] {
  const screen = start && screenAt(start.screens, path);
  const files = screen ? [...(screen.words[spokenLanguage] ?? []), ...screen.code] : [];
  return files.flatMap((at) => {
    if (preloaded.has(at)) return [];
    preloaded.add(at);
    return `/${start?.files[at]}`;
  });
}

function preloadFile(href: string, priority: 'auto' | 'low' = 'auto'): HTMLLinkElement {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority: priority, href });
  document.head.append(link);
  return link;
}

/** Loads the files of the screen at a path all at once. Without it, the code would be requested after its messages. */
export function preloadScreen(path: string): void {
  for (const href of newFilesOf(path)) preloadFile(href);
}

/** How long the first screen has the connection to itself, in milliseconds. */
const IDLE_AFTER_MS = 3_000;

/** What browsers know about the connection. Only Chromium has it. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

function isScarce(): boolean {
  const { saveData, effectiveType = '' } = (navigator as Navigator & { connection?: Connection }).connection ?? {};
  return saveData === true || effectiveType.endsWith('2g');
}

/**
 * Loads the files of screens one after another when the first screen is complete, so that moving to these screens only
 * requests their data. Doesn't load them if the user saves data or the connection is very slow. Returns a function that
 * stops it.
 */
export function preloadWhenIdle(paths: readonly string[]): () => void {
  const stopped = new AbortController();
  const loadAll = async () => {
    for (const path of isScarce() ? [] : paths) {
      for (const href of newFilesOf(path)) {
        if (stopped.signal.aborted) return;
        const { promise, resolve } = Promise.withResolvers<unknown>();
        const link = preloadFile(href, 'low');
        link.onload = resolve;
        link.onerror = resolve;
        await promise;
      }
    }
  };
  const timer = setTimeout(() => void loadAll(), IDLE_AFTER_MS);
  stopped.signal.addEventListener('abort', () => clearTimeout(timer));
  return () => stopped.abort();
}

/** How long the pointer must rest on a link, in milliseconds, so that moving across a menu loads nothing. */
const REST_MS = 60;

/** Loads the files of the screens that links lead to when a link is pointed at, pressed or focused. */
export function preloadLinkedScreens(): void {
  let rest: ReturnType<typeof setTimeout>;
  const preload = ({ type, target }: Event) => {
    clearTimeout(rest);
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin !== window.location.origin || link.target) return;
    const { pathname } = link;
    rest = setTimeout(() => preloadScreen(pathname), type === 'pointerover' ? REST_MS : 0);
  };
  for (const type of ['pointerover', 'pointerdown', 'focusin']) {
    document.addEventListener(type, preload, { passive: true });
  }
}
