import { useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { areShortcutsOn, isForPage } from '#lib/browser/shortcut-keys.ts';
import { paths } from '#paths.ts';
import type { MenuGroup } from './menu.ts';

/** The letter that opens a screen after G, by the screen's path. */
export const GO_KEYS: Readonly<Record<string, string>> = {
  [paths.dashboard]: 'd',
  [paths.ownApplications]: 'y',
  [paths.ownFaq]: 'f',
  [paths.manageUsers]: 'm',
  [paths.directReports]: 'r',
  [paths.authenticateCaller]: 'c',
  [paths.applications]: 'a',
  [paths.signIns]: 's',
  [paths.activity]: 'h',
  [paths.oidcPortalAuth]: 'o',
  [paths.branding]: 'b',
  [paths.loginOptions]: 'l',
  [paths.idpConfiguration]: 'i',
  [paths.userProvisioning]: 'p',
  [paths.roleManagement]: 'k',
  [paths.security]: 'n',
  [paths.webhooks]: 'w',
  [paths.mails]: 'e',
};

const GO_TIMEOUT_MS = 1_500;

interface Actions {
  togglePalette: () => void;
  openPalette: () => void;
  openHelp: () => void;
  goTo: (path: string) => void;
}

/** Runs the page's keyboard shortcuts: Ctrl K and `/` for the palette, `?` for their list, G and a letter for a screen. */
export function useShortcuts(groups: readonly MenuGroup[], openHelp: () => void) {
  const [palette, setPalette] = useState({ isOpen: false, wasOpened: false });
  const navigate = useNavigate();
  const actions: Actions = {
    togglePalette: () => setPalette(({ isOpen }) => ({ isOpen: !isOpen, wasOpened: true })),
    openPalette: () => setPalette({ isOpen: true, wasOpened: true }),
    openHelp,
    goTo: (path) => void navigate(path),
  };
  const latest = useRef({ actions, groups });
  useLayoutEffect(() => {
    latest.current = { actions, groups };
  });
  // Register before the first paint, so that an early key press isn't lost.
  useLayoutEffect(() => {
    let goUntil = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      const run = readShortcut(event, event.timeStamp < goUntil, latest.current.groups);
      goUntil = run === 'go' ? event.timeStamp + GO_TIMEOUT_MS : 0;
      if (run === undefined) return;
      event.preventDefault();
      if (run !== 'go') run(latest.current.actions);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return {
    ...palette,
    open: actions.openPalette,
    close: () => setPalette((present) => ({ ...present, isOpen: false })),
  };
}

/** Returns what a key press does, `go` for the G before a letter, or undefined if it isn't a shortcut. */
function readShortcut(
  event: KeyboardEvent,
  isAfterGo: boolean,
  groups: readonly MenuGroup[],
): ((actions: Actions) => void) | 'go' | undefined {
  const key = event.key.toLowerCase();
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey)
    return key === 'k' && !event.shiftKey ? ({ togglePalette }) => togglePalette() : undefined;
  if (!areShortcutsOn() || !isForPage(event)) return undefined;
  if (isAfterGo) {
    const item = groups.flatMap(({ items }) => items).find(({ to }) => to !== undefined && GO_KEYS[to] === key);
    const path = item?.to;
    return path === undefined ? undefined : ({ goTo }) => goTo(path);
  }
  if (key === '/') return ({ openPalette }) => openPalette();
  if (key === '?') return (actions) => actions.openHelp();
  return key === 'g' ? 'go' : undefined;
}
