import { ChakraProvider, Input, Textarea } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { fill, user } from '#testing.ts';
import { system } from '#theme.ts';
import { FormField } from './form-field.tsx';

const draw = (input: ReactNode, error?: string) =>
  render(
    <ChakraProvider value={system}>
      <FormField label="First Name" help="As in the passport" error={error}>
        {input}
      </FormField>
    </ChakraProvider>,
  );
const field = () => screen.getByLabelText<HTMLInputElement>('First Name');

/** Types into the field and leaves it. */
async function type(value: string) {
  await fill(field(), value);
  await user.tab();
}

/** A controlled text input. */
function ControlledInput() {
  const [value, setValue] = useState('');
  return (
    <>
      <Input value={value} onChange={(event) => setValue(event.target.value)} />
      <output>“{value}”</output>
    </>
  );
}

// covers: spec 1.5.14, spec 2.5.15
test('trims the input when its field loses focus', async () => {
  draw(<Input />);
  await type('  Mary Jane ');
  expect(field().value).toBe('Mary Jane');
});

// covers: spec 1.5.14
test('updates the form with the trimmed input', async () => {
  draw(<ControlledInput />);
  await type('  Mary Jane ');
  expect(field().value).toBe('Mary Jane');
  expect(screen.getByRole('status').textContent).toBe('“Mary Jane”');
});

test('trims multi-line input only at its start and end', async () => {
  draw(<Textarea />);
  await type(' Dear all,\n  hello \n');
  expect(field().value).toBe('Dear all,\n  hello');
});

test('does not trim secrets', async () => {
  draw(<Input type="password" />);
  await type(' open sesame ');
  expect(field().value).toBe(' open sesame ');
});

test('replaces the help with the error, which describes the input', () => {
  draw(<Input />, 'This field is required');
  expect(screen.queryByText('As in the passport')).toBeNull();
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(field().getAttribute('aria-errormessage')).toBe(screen.getByText('This field is required').id);
});
