import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { fill, user } from '#testing.ts';
import { system } from '#theme.ts';
import { OneTimeCodeInput } from './one-time-code-input.tsx';

function Form({ onSubmit, submitsWhenFull = false }: { onSubmit: (code: string) => void; submitsWhenFull?: boolean }) {
  const [code, setCode] = useState('');
  return (
    <ChakraProvider value={system}>
      <OneTimeCodeInput
        length={2}
        kind="letters-and-digits"
        label="Verification code"
        value={code}
        onChange={setCode}
        onSubmit={onSubmit}
        submitsWhenFull={submitsWhenFull}
      />
    </ChakraProvider>
  );
}

const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Verification code' });
const type = (value: string) => fill(input(), value);

test('accepts a typed or pasted code in a single input that supports autofill', async () => {
  render(<Form onSubmit={() => undefined} />);
  expect(input().autocomplete).toBe('one-time-code');
  await type(' k-7x');
  expect(input().value).toBe('K7');
});

test('submits only a complete code on Enter', async () => {
  const onSubmit = vi.fn();
  render(<Form onSubmit={onSubmit} />);
  await type('k');
  await user.keyboard('{Enter}');
  expect(onSubmit).not.toHaveBeenCalled();
  await type('k7');
  await user.keyboard('{Enter}');
  expect(onSubmit).toHaveBeenCalledWith('K7');
});

test('submits on the last character if requested', async () => {
  const onSubmit = vi.fn();
  render(<Form onSubmit={onSubmit} submitsWhenFull />);
  await type('k7');
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith('K7');
});
