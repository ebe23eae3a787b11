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

const screenOf = (path: string) => start && screenAt(start.screens, path);

/** Returns the files of a screen that haven't been requested yet, and notes them as requested. */
export function newFilesOf(path: string): string[] {
  const screen = screenOf(path);
  const files = screen ? [...(screen.words[spokenLanguage] ?? []), ...screen.code] : [];
  return files.flatMap((at) => {
    if (preloaded.has(at)) return [];
    preloaded.add(at);
    return `/${start?.files[at]}`;
  });
}

export function preloadFile(href: string, fetchPriority = 'auto'): HTMLLinkElement {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority, href });
  document.head.append(link);
  return link;
}

/**
 * Loads the files of the screen at an address and its first data all at once. Otherwise, its code would be requested
 * after its messages, and its data after its code.
 */
export function preloadScreen(path: string, query: string): void {
  for (const href of newFilesOf(path)) preloadFile(href);
  window.readEarly?.(screenOf(path)?.reads, query);
}

let currentPath: string | undefined;

/** Calls `preloadScreen` if the path has changed. The same screen with another query isn't a move. */
export function preloadNextScreen(path: string, query: string): void {
  if (path === currentPath) return;
  currentPath = path;
  preloadScreen(path, query);
}

/** What browsers know about the connection. Only Chromium has it. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Returns true if the user saves data or the connection is very slow. */
export function isScarce(): boolean {
  const { saveData, effectiveType = '' } = (navigator as Navigator & { connection?: Connection }).connection ?? {};
  return saveData === true || effectiveType.endsWith('2g');
}

/** How long the pointer must rest on a link, in milliseconds, so that moving across a menu loads nothing. */
const REST_MS = 60;

/**
 * Loads the screens that links lead to when a link is pressed and, unless data is scarce, already when it is pointed at
 * or focused.
 */
export function preloadLinkedScreens(): void {
  let rest: ReturnType<typeof setTimeout>;
  const preload = ({ type, target }: Event) => {
    clearTimeout(rest);
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin !== window.location.origin || link.target || link.pathname === window.location.pathname) return;
    if (type !== 'pointerdown' && isScarce()) return;
    const { pathname, search } = link;
    rest = setTimeout(() => preloadScreen(pathname, search), type === 'pointerover' ? REST_MS : 0);
  };
  for (const type of ['pointerover', 'pointerdown', 'focusin']) {
    document.addEventListener(type, preload, { passive: true });
  }
}
