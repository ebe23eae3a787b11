import { ChakraProvider } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { user } from '#testing.ts';
import { system } from '#theme.ts';
import { LogoField } from './logo-field.tsx';

let taken: File | null = null;

function Form() {
  const [file, setFile] = useState<File | null>(null);
  taken = file;
  return (
    <ChakraProvider value={system}>
      <LogoField
        logo={null}
        file={file}
        fileAddress={null}
        removed={[]}
        onFile={setFile}
        onRemove={() => undefined}
        error={undefined}
      />
    </ChakraProvider>
  );
}

const fileOf = (bytes: number) => Object.defineProperty(new File([], 'logo.svg'), 'size', { value: bytes });
const choose = (file: File) => user.upload(screen.getByLabelText('Logo', { selector: 'input' }), file);
const percent = () => screen.getByRole('progressbar').getAttribute('aria-valuenow');

beforeEach(() => {
  vi.useFakeTimers();
  render(<Form />);
});
afterEach(() => void vi.useRealTimers());

test('shows all limits before a file is selected', () => {
  screen.getByText('SVG works best. Recommended: under 100 KB and 200x100 px. Limit: 2 MB and 16 million pixels.');
});

// covers: spec 2.4.10
test('advances the progress by 10 % every 100 ms up to 100 %', async () => {
  await choose(fileOf(1_000));
  expect(percent()).toBe('0');
  for (const expected of ['10', '20', '30', '40', '50', '60', '70', '80', '90', '100', '100']) {
    act(() => vi.advanceTimersByTime(100));
    expect(percent()).toBe(expected);
  }
});

// covers: spec 2.5.18
test.each([
  [LIMITS.logoRecommendedBytes, undefined],
  [LIMITS.logoRecommendedBytes + 1, 'Larger than 100 KB. The sign-in page will load more slowly.'],
  [LIMITS.logoBytes + 1, 'File is larger than 2 MB.'],
  [LIMITS.logoWarningBytes + 1, 'File is larger than 10 MB. Choose a file up to 2 MB.'],
])('accepts a file of %i bytes and shows a warning if necessary', async (bytes, note) => {
  const file = fileOf(bytes);
  await choose(file);
  expect(taken).toBe(file);
  expect(screen.queryByText(/larger than/i)?.textContent).toBe(note);
});
