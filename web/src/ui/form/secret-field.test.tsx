import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { user } from '#testing.ts';
import { system } from '#theme.ts';
import { FormAlert } from './form-alert.tsx';
import { SecretField } from './secret-field.tsx';

const draw = (value: string) =>
  render(
    <ChakraProvider value={system}>
      <SecretField label="Client secret" value={value} />
    </ChakraProvider>,
  );

test.each(['short', 'a-much-longer-secret-than-the-other-one'])(
  'hides the length of %s behind dots and reveals the value on request',
  async (secret) => {
    draw(secret);
    expect(screen.queryByText(secret)).toBeNull();
    expect(screen.getByText('•'.repeat(12))).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Reveal Client secret' }));
    expect(screen.getByText(secret)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Hide Client secret' }));
    expect(screen.queryByText(secret)).toBeNull();
  },
);

// covers: spec 2.5.17
test('shows an alert only if the form has errors', () => {
  const { rerender } = render(<FormAlert errors={{}} />, {
    wrapper: ({ children }) => <ChakraProvider value={system}>{children}</ChakraProvider>,
  });
  expect(screen.queryByRole('alert')).toBeNull();
  rerender(<FormAlert errors={{ name: { message: 'This field is required' } }} />);
  expect(screen.getByRole('alert').textContent).toContain('review the highlighted fields');
});
