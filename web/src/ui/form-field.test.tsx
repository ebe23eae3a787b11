import { ChakraProvider, Input, Textarea } from '@chakra-ui/react';
import { fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { system } from '../theme.ts';
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

/** Types and leaves the field. */
function type(value: string) {
  fireEvent.change(field(), { target: { value } });
  fireEvent.focusOut(field());
}

/** A controlled input that displays its value. */
function Kept() {
  const [value, setValue] = useState('');
  return (
    <>
      <Input value={value} onChange={(event) => setValue(event.target.value)} />
      <output>“{value}”</output>
    </>
  );
}

test('a text is trimmed when its field is left', () => {
  draw(<Input />);
  type('  Mary Jane ');
  expect(field().value).toBe('Mary Jane');
});

test('the owner of the text learns that it was trimmed', () => {
  draw(<Kept />);
  type('  Mary Jane ');
  expect(field().value).toBe('Mary Jane');
  expect(screen.getByRole('status').textContent).toBe('“Mary Jane”');
});

test('a text of several lines is trimmed only around it', () => {
  draw(<Textarea />);
  type(' Dear all,\n  hello \n');
  expect(field().value).toBe('Dear all,\n  hello');
});

test('a secret keeps every blank', () => {
  draw(<Input type="password" />);
  type(' open sesame ');
  expect(field().value).toBe(' open sesame ');
});

test('what is wrong stands in the place of the help, and belongs to the input', () => {
  draw(<Input />, 'This field is required');
  expect(screen.queryByText('As in the passport')).toBeNull();
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(field().getAttribute('aria-errormessage')).toBe(screen.getByText('This field is required').id);
});
