import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test, vi } from 'vitest';
import { endSession } from '#lib/session/session.ts';
import { fill, profileOf, user } from '#testing.ts';
import { system } from '#theme.ts';
import CommandPalette from './command-palette.tsx';
import { commandsFor } from './commands.ts';
import { menu, visibleMenu } from './menu.ts';

// jsdom doesn't implement scrolling.
Element.prototype.scrollIntoView = () => undefined;

function openPalette() {
  // End the session, so that the palette has no permission to search members.
  endSession();
  const means = { hasRoom: true, navigate: vi.fn(), openModal: vi.fn(), toggleColourMode: vi.fn() };
  const onClose = vi.fn();
  const profile = profileOf();
  const commands = commandsFor(profile, visibleMenu(menu, profile), means);
  render(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <CommandPalette isOpen onClose={onClose} commands={commands} />
      </MemoryRouter>
    </ChakraProvider>,
  );
  return { ...means, onClose };
}

const box = () => screen.getByRole('combobox', { name: 'Find a screen or an action' });
const press = (key: string) => user.type(box(), `{${key}}`);
const names = () => screen.queryAllByRole('option').map((option) => option.querySelector('p')?.textContent);

test('lists all screens and actions available to the member', () => {
  openPalette();
  expect(names()).toEqual([
    'Dashboard',
    'Test Device',
    'FAQ',
    'My Applications',
    'Add device',
    'Switch light and dark mode',
    'Logout',
  ]);
});

test('finds commands by word prefixes in any order', async () => {
  openPalette();
  await fill(box(), 'dev te');
  expect(names()).toEqual(['Test Device']);
  await fill(box(), 'zzz');
  expect(screen.getByRole('status').textContent).toBe('No results for “zzz”.');
});

test('runs the selected command on Enter and closes', async () => {
  const { openModal, onClose } = openPalette();
  await press('ArrowDown');
  expect(box().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[1]?.id);
  await press('Enter');
  expect(openModal).toHaveBeenCalledWith('test-device');
  expect(onClose).toHaveBeenCalled();
});

test('wraps around with the arrow keys', async () => {
  const { openModal } = openPalette();
  await press('ArrowUp');
  await press('Enter');
  expect(openModal).toHaveBeenCalledWith('logout');
});
