import { Button, type ButtonProps } from '@chakra-ui/react';

interface SteadyButtonProps extends Omit<ButtonProps, 'disabled' | 'loading'> {
  /** Whether its action is running, or is not possible now. */
  isOff: boolean;
}

/** A button that keeps the focus while its action is not possible: one that is disabled loses it to the page. */
export function SteadyButton({ isOff, onClick, type = 'button', ...button }: SteadyButtonProps) {
  return (
    <Button
      type={type}
      aria-disabled={isOff || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
      {...button}
    />
  );
}
