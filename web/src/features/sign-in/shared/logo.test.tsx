import { ChakraProvider } from '@chakra-ui/react';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '#theme.ts';
import { Logo } from './logo.tsx';

const draw = (src: string | null) =>
  render(
    <ChakraProvider value={system}>
      <Logo src={src} name="Acme Corporation" />
    </ChakraProvider>,
  );

// covers: spec 1.2.27
test('names the logo after its organisation', () => {
  draw('/logos/acme');
  expect(screen.getByRole('img', { name: 'Acme Corporation' }).getAttribute('src')).toBe('/logos/acme');
});

// covers: spec 1.2.27, spec 2.2.53
test("hides a logo that can't be loaded", () => {
  draw('/logos/acme');
  act(() => void screen.getByRole('img', { name: 'Acme Corporation' }).dispatchEvent(new Event('error')));
  expect(screen.queryByRole('img')).toBeNull();
});

test('renders nothing without a logo', () => {
  draw(null);
  expect(screen.queryByRole('img')).toBeNull();
});
