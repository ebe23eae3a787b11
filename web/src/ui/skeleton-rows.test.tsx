import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '../theme.ts';
import { SkeletonRows } from './skeleton-rows.tsx';

test('a list that is on its way is three rows without content, with words for those who cannot see them', () => {
  render(
    <ChakraProvider value={system}>
      <SkeletonRows label="Loading sign-ins" />
    </ChakraProvider>,
  );
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('Loading sign-ins');
  const [label, ...rows] = status.children;
  expect(label?.textContent).toBe('Loading sign-ins');
  expect(rows).toHaveLength(3);
});
