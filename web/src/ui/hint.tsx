import { Portal, Tooltip } from '@chakra-ui/react';
import type { ReactElement } from 'react';

interface HintProps {
  text: string | undefined;
  placement?: 'top' | 'right' | 'bottom' | 'left';
  /** Keeps the hint in sight or away, e.g. while 'Copied to clipboard' is the news. */
  isOpen?: boolean;
  /** One element that can take focus; a hint that only the mouse reaches helps too few. */
  children: ReactElement;
}

/** A tooltip, shown on hover and on keyboard focus. Without text it is nothing but its child. */
export function Hint({ text, placement = 'top', isOpen, children }: HintProps) {
  if (!text) return children;
  return (
    <Tooltip.Root
      openDelay={250}
      closeDelay={80}
      closeOnPointerDown={false}
      closeOnClick={false}
      positioning={{ placement }}
      // A hint that stays open by itself leaves Escape to what it is about.
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
