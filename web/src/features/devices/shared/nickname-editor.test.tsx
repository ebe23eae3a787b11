import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { type AuthState, getUser, LIMITS } from '@orchestrate/shared';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import OwnDevices from '../own-devices.tsx';

let portal: TestPortal;
let state: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  state = await visitSignedIn(portal, 'super.admin@acme.test', '/dashboard', <OwnDevices />);
});
afterEach(async () => {
  vi.useRealTimers();
  await closePage(portal);
});

const nicknames = async () => {
  const { body } = await portal.call(getUser, { query: {} }, { token: state.token });
  return Object.fromEntries(body.devices.map(({ name, nickName }) => [name, nickName]));
};
const input = (device: string) => screen.getByRole('textbox', { name: `Nickname for ${device}` });
const type = (device: string, text: string) => fill(input(device), text);

async function edit(device: string, nickname: string): Promise<void> {
  const name = nickname ? `${nickname}, edit nickname for ${device}` : `Add a nickname for ${device}`;
  await user.click(await screen.findByRole('button', { name }));
}

// covers: spec 1.4.35
test('saves, closes and restores focus on Enter', async () => {
  await edit('ThinkPad X1', 'Desk');
  await type('ThinkPad X1', '  Writing desk ');
  await user.keyboard('{Enter}');
  const shown = screen.getByRole('button', { name: 'Writing desk, edit nickname for ThinkPad X1' });
  expect(document.activeElement).toBe(shown);
  await waitFor(async () => expect((await nicknames())['ThinkPad X1']).toBe('Writing desk'));
});

// covers: spec 1.4.35, spec 1.4.36
test('saves on blur and closes after a second', async () => {
  await edit('iPhone 14', '');
  await type('iPhone 14', 'Travel');
  await user.tab();
  await waitFor(async () => expect((await nicknames())['iPhone 14']).toBe('Travel'));
  await screen.findByRole('button', { name: 'Travel, edit nickname for iPhone 14' });
});

test('continues editing if focus returns in time', { tags: 'whole' }, async () => {
  await edit('iPhone 14', '');
  vi.useFakeTimers();
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
  await user.tab();
  pass(900);
  await user.tab({ shift: true });
  pass(10_000);
  expect(input('iPhone 14')).toBeTruthy();
});

test('discards the edit on Escape', { tags: 'whole' }, async () => {
  await edit('ThinkPad X1', 'Desk');
  await type('ThinkPad X1', 'Somewhere');
  await user.keyboard('{Escape}');
  screen.getByRole('button', { name: 'Desk, edit nickname for ThinkPad X1' });
  await edit('ThinkPad X1', 'Desk');
  await type('ThinkPad X1', 'Elsewhere');
  await user.keyboard('{Enter}');
  await waitFor(async () => expect((await nicknames())['ThinkPad X1']).toBe('Elsewhere'));
});

// covers: spec 1.5.1
test('rejects fewer than three characters and explains why in a tooltip', async () => {
  await edit('ThinkPad X1', 'Desk');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await type('ThinkPad X1', ' Pc ');
  expect(screen.queryByRole('tooltip')).toBeNull();
  act(() => vi.advanceTimersByTime(LIMITS.nicknameTypingDebounceMs));
  vi.useRealTimers();
  expect((await screen.findByRole('tooltip')).textContent).toBe('Nicknames must have at least 3 characters');
  expect(input('ThinkPad X1').getAttribute('aria-invalid')).toBe('true');
  await user.keyboard('{Enter}');
  expect(input('ThinkPad X1')).toBeTruthy();
  await user.tab();
  await screen.findByRole('button', { name: 'Desk, edit nickname for ThinkPad X1' });
  expect((await nicknames())['ThinkPad X1']).toBe('Desk');
});

// covers: spec 1.5.2
test('clears the nickname if the input is empty', async () => {
  await edit('ThinkPad X1', 'Desk');
  await type('ThinkPad X1', '   ');
  await user.tab();
  await waitFor(async () => expect((await nicknames())['ThinkPad X1']).toBe(''));
  await screen.findByRole('button', { name: 'Add a nickname for ThinkPad X1' });
});

// covers: spec 1.5.3
test('sends only the last of several quick changes', async () => {
  // Only the first call fails. A second call would succeed, so the failure proves that there was only one call.
  await portal.lab.fault({ method: 'POST', path: '/device/nickname' });
  await edit('iPhone 14', '');
  vi.useFakeTimers();
  for (const [before, name] of [
    ['', 'First'],
    ['First', 'Second'],
    ['Second', 'Third'],
  ] as const) {
    if (before) await user.click(screen.getByRole('button', { name: `${before}, edit nickname for iPhone 14` }));
    await type('iPhone 14', name);
    await user.keyboard('{Enter}');
    act(() => vi.advanceTimersByTime(LIMITS.nicknameSaveDebounceMs - 1));
  }
  act(() => vi.advanceTimersByTime(1));
  vi.useRealTimers();
  await screen.findByRole('button', { name: 'Add a nickname for iPhone 14' });
  await screen.findByText('Something went wrong!');
});

test('restores the previous name if saving fails', async () => {
  await edit('ThinkPad X1', 'Desk');
  await portal.lab.fault({ method: 'POST', path: '/device/nickname' });
  await type('ThinkPad X1', 'Unlucky');
  await user.keyboard('{Enter}');
  screen.getByRole('button', { name: 'Unlucky, edit nickname for ThinkPad X1' });
  await screen.findByText('Something went wrong!');
  screen.getByRole('button', { name: 'Desk, edit nickname for ThinkPad X1' });
});
