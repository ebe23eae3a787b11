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

/** Loads the files of the screen at a path all at once. Without it, the code would be requested after its messages. */
export function preloadScreen(path: string): void {
  const screen = start && screenAt(start.screens, path);
  for (const at of screen ? [...(screen.words[spokenLanguage] ?? []), ...screen.code] : []) {
    if (preloaded.has(at)) continue;
    preloaded.add(at);
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: `/${start?.files[at]}` });
    document.head.append(link);
  }
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
