import { Button, type ButtonProps } from '@chakra-ui/react';
import { Hint } from './hint.tsx';

interface ExplainedButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why the action is unavailable. The button stays focusable so that keyboard users can read the reason. */
  obstacle: string | undefined;
}

/** A text button with a hint that explains why its action is unavailable. */
export function ExplainedButton({ obstacle, onClick, ...button }: ExplainedButtonProps) {
  if (!obstacle) return <Button onClick={onClick} {...button} />;
  return (
    <Hint text={obstacle}>
      <Button aria-disabled opacity={0.5} cursor="not-allowed" {...button} />
    </Hint>
  );
}
