import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { type AuthState, addFault, getUser, LIMITS } from '@orchestrate/shared';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import OwnDevices from '../features/devices/own-devices.tsx';
import { leave, visitSignedIn } from '../layout/testing.tsx';

let portal: TestPortal;
let state: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  state = await visitSignedIn(portal, 'super.admin@acme.test', '/dashboard', <OwnDevices />);
});
afterEach(async () => {
  vi.useRealTimers();
  await leave(portal);
});

const nicknames = async () => {
  const { body } = await portal.call(getUser, { query: {} }, { token: state.token });
  return Object.fromEntries(body.devices.map(({ name, nickName }) => [name, nickName]));
};
const input = (device: string) => screen.getByRole('textbox', { name: `Nickname of ${device}` });
const type = (device: string, text: string) => fireEvent.change(input(device), { target: { value: text } });

async function edit(device: string, nickname: string): Promise<void> {
  const name = nickname ? `${nickname}, edit the nickname of ${device}` : `Add a nickname for ${device}`;
  fireEvent.click(await screen.findByRole('button', { name }));
}

test('Enter saves, closes and gives the focus back', async () => {
  await edit('ThinkPad X1', 'Desk');
  type('ThinkPad X1', '  Writing desk ');
  fireEvent.keyDown(input('ThinkPad X1'), { key: 'Enter' });
  const shown = screen.getByRole('button', { name: 'Writing desk, edit the nickname of ThinkPad X1' });
  expect(document.activeElement).toBe(shown);
  await waitFor(async () => expect((await nicknames())['ThinkPad X1']).toBe('Writing desk'));
});

test('leaving saves; the editor closes when it has been left alone for a second', async () => {
  await edit('iPhone 14', '');
  type('iPhone 14', 'Travel');
  fireEvent.blur(input('iPhone 14'));
  await waitFor(async () => expect((await nicknames())['iPhone 14']).toBe('Travel'));
  await screen.findByRole('button', { name: 'Travel, edit the nickname of iPhone 14' });
});

test('coming back in time goes on editing', async () => {
  await edit('iPhone 14', '');
  vi.useFakeTimers();
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
  fireEvent.blur(input('iPhone 14'));
  pass(900);
  fireEvent.focus(input('iPhone 14'));
  pass(10_000);
  expect(input('iPhone 14')).toBeTruthy();
});

test('Escape takes back', async () => {
  await edit('ThinkPad X1', 'Desk');
  type('ThinkPad X1', 'Somewhere');
  fireEvent.keyDown(input('ThinkPad X1'), { key: 'Escape' });
  screen.getByRole('button', { name: 'Desk, edit the nickname of ThinkPad X1' });
  await edit('ThinkPad X1', 'Desk');
  type('ThinkPad X1', 'Elsewhere');
  fireEvent.keyDown(input('ThinkPad X1'), { key: 'Enter' });
  await waitFor(async () => expect((await nicknames())['ThinkPad X1']).toBe('Elsewhere'));
});

test('fewer than three characters are not saved, and the tooltip says why', async () => {
  await edit('ThinkPad X1', 'Desk');
  type('ThinkPad X1', ' Pc ');
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect((await screen.findByRole('tooltip')).textContent).toBe('A nickname has at least 3 characters');
  expect(input('ThinkPad X1').getAttribute('aria-invalid')).toBe('true');
  fireEvent.keyDown(input('ThinkPad X1'), { key: 'Enter' });
  expect(input('ThinkPad X1')).toBeTruthy();
  fireEvent.blur(input('ThinkPad X1'));
  await screen.findByRole('button', { name: 'Desk, edit the nickname of ThinkPad X1' });
  expect((await nicknames())['ThinkPad X1']).toBe('Desk');
});

test('an empty nickname clears it', async () => {
  await edit('ThinkPad X1', 'Desk');
  type('ThinkPad X1', '   ');
  fireEvent.blur(input('ThinkPad X1'));
  await waitFor(async () => expect((await nicknames())['ThinkPad X1']).toBe(''));
  await screen.findByRole('button', { name: 'Add a nickname for ThinkPad X1' });
});

test('of several names given quickly only the last is sent', async () => {
  // Only the first call fails: a second one would succeed, so the failure proves that there is just one.
  await portal.call(addFault, { body: { method: 'POST', path: '/device/nickname' } });
  await edit('iPhone 14', '');
  vi.useFakeTimers();
  for (const [before, name] of [
    ['', 'First'],
    ['First', 'Second'],
    ['Second', 'Third'],
  ] as const) {
    if (before) fireEvent.click(screen.getByRole('button', { name: `${before}, edit the nickname of iPhone 14` }));
    type('iPhone 14', name);
    fireEvent.keyDown(input('iPhone 14'), { key: 'Enter' });
    act(() => vi.advanceTimersByTime(LIMITS.nicknameSaveDebounceMs - 1));
  }
  act(() => vi.advanceTimersByTime(1));
  vi.useRealTimers();
  await screen.findByRole('button', { name: 'Add a nickname for iPhone 14' });
  await screen.findByText('Something went wrong!');
});

test('a name that cannot be saved is taken back', async () => {
  await edit('ThinkPad X1', 'Desk');
  await portal.call(addFault, { body: { method: 'POST', path: '/device/nickname' } });
  type('ThinkPad X1', 'Unlucky');
  fireEvent.keyDown(input('ThinkPad X1'), { key: 'Enter' });
  screen.getByRole('button', { name: 'Unlucky, edit the nickname of ThinkPad X1' });
  await screen.findByText('Something went wrong!');
  screen.getByRole('button', { name: 'Desk, edit the nickname of ThinkPad X1' });
});
