import type { AuthState, Member, Profile } from '@orchestrate/shared';
import { act, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, vi } from 'vitest';

/** Acts on the page as a person does. Any file can be chosen, whatever the input accepts. */
export const user = userEvent.setup({
  applyAccept: false,
  advanceTimers: (milliseconds) => void (vi.isFakeTimers() && vi.advanceTimersByTime(milliseconds)),
});

/** Types a text into a field, in place of its present value. */
export async function fill(field: Element, text: string): Promise<void> {
  await user.clear(field);
  if (text) await user.paste(text);
}

/** Chooses an item of a menu once the menu has opened. It takes the item that the pointer moves over. */
export async function chooseItem(item: Element): Promise<void> {
  let clientX = 0;
  await waitFor(async () => {
    clientX += 1;
    await user.pointer({ target: item, coords: { clientX } });
    expect(item.hasAttribute('data-highlighted')).toBe(true);
  });
  await user.click(item);
}

/** A text as queries find it: to them a space that keeps words together is like any other. */
export const asFound = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Lets every media query match, as on a wide page, or none, as on a narrow one. */
export const pageWidth = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: isWide }));

/** Makes the window this wide, in px: outside, and inside, where zoom leaves less. */
export function windowWidth(outer: number, inner = outer): void {
  vi.stubGlobal('outerWidth', outer);
  vi.stubGlobal('innerWidth', inner);
  window.dispatchEvent(new Event('resize'));
}

/** Goes to it by the keyboard; not in a dialog, whose trap for the focus finds nothing visible in jsdom. */
export async function tabTo(target: Element): Promise<void> {
  const passed = new Set<Element | null>();
  do {
    passed.add(document.activeElement);
    await user.tab();
  } while (document.activeElement !== target && !passed.has(document.activeElement));
  expect(document.activeElement).toBe(target);
}

/** Holds files over a place, takes them away again or drops them there: jsdom knows no dragging. */
export const drag = (type: 'dragenter' | 'dragleave' | 'drop', place: Element, ...files: File[]) =>
  act(() => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    place.dispatchEvent(Object.assign(event, { dataTransfer: { files } }));
  });

/** A part of a form as it travels, with `b` as the boundary: Node's `fetch` does not know the FormData of jsdom. */
export const formPart = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}\r\n`;

/** A person for tests; `about` has what matters to the test. */
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

/** Another member for tests: active, with neither device nor activation code unless `about` says otherwise. */
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

/** An unsigned access token in the form of a JWT, with this lifetime in seconds. */
export const tokenFor = (name: string, seconds: number): string =>
  `head.${btoa(JSON.stringify({ name, iat: 0, exp: seconds }))}.sign`;

/** The data of a sign-in, with an access token of ten minutes unless told otherwise. */
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
