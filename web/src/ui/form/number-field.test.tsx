import { Button, ChakraProvider } from '@chakra-ui/react';
import { render, screen, waitFor } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { fill, user } from '#testing.ts';
import { system } from '#theme.ts';
import { NumberField } from './number-field.tsx';

/** A form with one number field that passes its value to `onSave`. */
function Form({ onSave }: { onSave: (timeout: unknown) => void }) {
  const form = useForm({ defaultValues: { timeout: 15 } });
  return (
    <ChakraProvider value={system}>
      <form onSubmit={(event) => void form.handleSubmit(({ timeout }) => onSave(timeout))(event)}>
        <NumberField label="Timeout" unit="minutes" {...form.register('timeout', { valueAsNumber: true })} />
        <Button type="submit">Save</Button>
      </form>
    </ChakraProvider>
  );
}

test.each(['10m', '1e3', '1.5'])('rejects “%s” with a message and keeps the number', async (pasted) => {
  render(<Form onSave={() => undefined} />);
  const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Timeout' });
  await user.click(field);
  await user.paste(pasted);
  await screen.findByText('Enter digits only');
  expect(field.value).toBe('15');
  await user.keyboard('0');
  await waitFor(() => expect(screen.queryByText('Enter digits only')).toBeNull());
  expect(field.value).toBe('150');
});

// covers: spec 1.5.15, spec 2.5.15
test.each([
  ['30', 30],
  ['0030', 30],
  ['', Number.NaN],
])('reports “%s” as the number %d', async (typed, number) => {
  const { promise: saved, resolve } = Promise.withResolvers<unknown>();
  render(<Form onSave={resolve} />);
  const field = screen.getByRole('spinbutton', { name: 'Timeout' });
  await fill(field, typed);
  await user.tab();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await saved).toBe(number);
});
