import { IconButton, type IconButtonProps } from '@chakra-ui/react';
import { Hint } from './hint.tsx';

interface ActionButtonProps extends Omit<IconButtonProps, 'aria-label' | 'disabled'> {
  /** Accessible name, also shown as a hint while the button is enabled. */
  label: string;
  /** Why the action is unavailable. The button stays focusable so that keyboard users can read the reason. */
  disabledReason?: string | undefined;
}

/** An icon button with a hint. If the button is disabled, the hint explains why. */
export function ActionButton({ label, disabledReason, onClick, ...rest }: ActionButtonProps) {
  return (
    <Hint text={disabledReason ?? label}>
      <IconButton
        variant="ghost"
        size="sm"
        aria-label={label}
        aria-disabled={disabledReason ? true : undefined}
        onClick={disabledReason ? undefined : onClick}
        {...rest}
      />
    </Hint>
  );
}
