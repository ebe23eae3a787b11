import { Button, type ButtonProps } from '@chakra-ui/react';

interface SoftDisabledButtonProps extends Omit<ButtonProps, 'disabled' | 'loading'> {
  /** True while the button's action is running or unavailable. */
  isDisabled: boolean;
}

/** A button that stays focusable while disabled. Browsers would drop the focus from a natively disabled button. */
export function SoftDisabledButton({ isDisabled, onClick, type = 'button', ...button }: SoftDisabledButtonProps) {
  return (
    <Button
      type={type}
      aria-disabled={isDisabled || undefined}
      onClick={(event) => {
        if (isDisabled) event.preventDefault();
        else onClick?.(event);
      }}
      {...button}
    />
  );
}
