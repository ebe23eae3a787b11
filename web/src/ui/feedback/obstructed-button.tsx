import { Button, type ButtonProps } from '@chakra-ui/react';
import { Hint } from './hint.tsx';

interface ObstructedButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why the action is not possible now. The button stays reachable so that everybody can read it. */
  obstacle: string | undefined;
}

/** A button with words that says why where its action is not possible. */
export function ObstructedButton({ obstacle, onClick, ...button }: ObstructedButtonProps) {
  if (!obstacle) return <Button onClick={onClick} {...button} />;
  return (
    <Hint text={obstacle}>
      <Button aria-disabled opacity={0.5} cursor="not-allowed" {...button} />
    </Hint>
  );
}
