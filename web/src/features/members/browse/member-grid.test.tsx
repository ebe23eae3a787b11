import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '#theme.ts';
import { LoadingGrid } from './member-grid.tsx';

// covers: spec 1.2.43
test('shows four skeleton cards while the first members load', () => {
  render(
    <ChakraProvider value={system}>
      <LoadingGrid label="Looking for members…" />
    </ChakraProvider>,
  );
  expect(screen.getByRole('status').textContent).toBe('Looking for members…');
  const cards = screen.getAllByRole('listitem', { hidden: true });
  expect(cards.map(({ textContent }) => textContent)).toEqual(['', '', '', '']);
});
