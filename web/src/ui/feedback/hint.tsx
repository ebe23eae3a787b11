import { Portal, Tooltip } from '@chakra-ui/react';
import type { ReactElement } from 'react';

interface HintProps {
  text: string | undefined;
  placement?: 'top' | 'right' | 'bottom' | 'left';
  /** Forces the hint open or closed, e.g. while it says 'Copied to clipboard'. */
  isOpen?: boolean;
  /** One focusable element, because a hint that only the mouse reaches helps too few. */
  children: ReactElement;
}

/** A tooltip, shown on hover and on keyboard focus. Without text it renders just its child. */
export function Hint({ text, placement = 'top', isOpen, children }: HintProps) {
  if (!text) return children;
  return (
    <Tooltip.Root
      openDelay={250}
      closeDelay={80}
      closeOnPointerDown={false}
      closeOnClick={false}
      positioning={{ placement }}
      // A hint that is forced open leaves Escape to its child.
      {...(isOpen === undefined ? {} : { open: isOpen, closeOnEscape: false })}
    >
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Portal>
        <Tooltip.Positioner>
          <Tooltip.Content>{text}</Tooltip.Content>
        </Tooltip.Positioner>
      </Portal>
    </Tooltip.Root>
  );
}
