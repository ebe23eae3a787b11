import { Portal, Tooltip } from '@chakra-ui/react';
import type { ReactElement } from 'react';

interface HintProps {
  text: string | undefined;
  placement?: 'top' | 'right' | 'bottom' | 'left';
  /** Forces the hint open or closed, e.g. to display 'Copied to clipboard'. */
  isOpen?: boolean;
  /** ID of the child, if it also opens a menu. Otherwise, the hint and the menu would give it different IDs. */
  triggerId?: string;
  /** A single focusable element, so that keyboard users can open the hint. */
  children: ReactElement;
}

/** A tooltip that opens on hover and on keyboard focus. Without text, it renders only its child. */
export function Hint({ text, placement = 'top', isOpen, triggerId, children }: HintProps) {
  if (!text) return children;
  return (
    <Tooltip.Root
      {...(triggerId !== undefined && { ids: { trigger: triggerId } })}
      openDelay={250}
      closeDelay={80}
      closeOnPointerDown={false}
      closeOnClick={false}
      // Focus scrolls an element into view, which must not close its hint.
      closeOnScroll={false}
      positioning={{ placement }}
      // While the hint is controlled, the child handles Escape.
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
