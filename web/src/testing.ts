import type { AuthState, Member, Profile } from '@orchestrate/shared';
import { act, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, vi } from 'vitest';

/** Simulates user input. Files can be chosen even if the input's `accept` excludes them. */
export const user = userEvent.setup({
  applyAccept: false,
  advanceTimers: (milliseconds) => void (vi.isFakeTimers() && vi.advanceTimersByTime(milliseconds)),
});

/** Replaces a field's value by typing. */
export async function fill(field: Element, text: string): Promise<void> {
  await user.clear(field);
  if (text) await user.paste(text);
}

/**
 * Clicks a menu item once the menu has opened. Moves the pointer over the item first, because the menu acts on the
 * highlighted item.
 */
export async function chooseItem(item: Element): Promise<void> {
  let clientX = 0;
  await waitFor(async () => {
    clientX += 1;
    await user.pointer({ target: item, coords: { clientX } });
    expect(item.hasAttribute('data-highlighted')).toBe(true);
  });
  await user.click(item);
}

/** Replaces non-breaking spaces, as Testing Library's queries do. */
export const withPlainSpaces = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Makes every media query match, as on a wide page, or none match, as on a narrow page. */
export const stubPageWidth = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: isWide }));

/** Sets the window's outer and inner width, in px. Zoom makes the inner width smaller. */
export function stubWindowWidth(outer: number, inner = outer): void {
  vi.stubGlobal('outerWidth', outer);
  vi.stubGlobal('innerWidth', inner);
  window.dispatchEvent(new Event('resize'));
}

/**
 * Presses Tab until an element is focused. Doesn't work in dialogs, whose focus trap finds no visible elements in
 * jsdom.
 */
export async function tabTo(target: Element): Promise<void> {
  const passed = new Set<Element | null>();
  do {
    passed.add(document.activeElement);
    await user.tab();
  } while (document.activeElement !== target && !passed.has(document.activeElement));
  expect(document.activeElement).toBe(target);
}

/** Fires a drag event for files, which jsdom can't simulate. */
export const drag = (type: 'dragenter' | 'dragleave' | 'drop', target: Element, ...files: File[]) =>
  act(() => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    target.dispatchEvent(Object.assign(event, { dataTransfer: { files } }));
  });

/**
 * Returns one part of a multipart body with the boundary `b`. Tests build multipart bodies manually, because Node's
 * `fetch` doesn't support jsdom's FormData.
 */
export const formPart = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}\r\n`;

/** Returns a profile for tests. `about` overrides its fields. */
export function profileOf(about: Partial<Profile> = {}): Profile {
  return {
    firstName: 'Avery',
    lastName: 'Lindqvist',
    email: 'avery.lindqvist@acme.test',
    emailVerified: true,
    primaryAttr: 'E-10001',
    suid: 's-1',
    zid: 'z-1',
    active: true,
    roleCode: 'USER',
    roleName: 'Org User',
    isManager: false,
    allowReporteeSearch: false,
    hasPermissionForMobileApp: true,
    hasPermissionForWindowsApp: false,
    permissions: [],
    orgId: 'acme',
    language: null,
    ...about,
  };
}

/** Returns an active member without devices or activation codes for tests. `about` overrides its fields. */
export function memberOf(about: Partial<Member> = {}): Member {
  const email = about.primaryEmail ?? 'avery.lindqvist@acme.test';
  return {
    id: '1',
    suid: 's-1',
    emailVerified: true,
    primaryAttr: 'E-10001',
    firstName: 'Avery',
    lastName: 'Lindqvist',
    email,
    primaryEmail: email,
    role: 'USER',
    roleName: 'Org User',
    accountStatus: 'active',
    isManager: false,
    deviceCount: 0,
    lastSeen: null,
    lastSeenAt: null,
    hasPermissionForMobileApp: true,
    hasPermissionForWindowsApp: true,
    activationCode: '',
    activationExpiry: null,
    activationExpired: true,
    activationLocked: false,
    desktopActivationCode: '',
    desktopActivationExpiry: null,
    desktopActivationExpired: true,
    desktopActivationLocked: false,
    ...about,
  };
}

/**
 * Returns an unsigned access token in JWT form.
 * @param seconds lifetime
 */
export const tokenFor = (name: string, seconds: number): string =>
  `head.${btoa(JSON.stringify({ name, iat: 0, exp: seconds }))}.sign`;

/** Returns session data with a ten-minute access token. `about` overrides its fields. */
export function authStateOf(about: Partial<AuthState> = {}): AuthState {
  return {
    token: tokenFor('fresh', 600),
    refreshToken: 'first',
    orgId: 'acme',
    role: 'USER',
    modules: [],
    profile: profileOf(),
    ...about,
  };
}
