import { Box, Portal, Tooltip } from '@chakra-ui/react';
import {
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useId,
  useRef,
  useState,
} from 'react';

interface HintProps {
  text: string | undefined;
  placement?: 'top' | 'right' | 'bottom' | 'left';
  /** Forces the hint open or closed, e.g. to display 'Copied to clipboard'. */
  isOpen?: boolean;
  /** ID of the child, if it also opens a menu. Otherwise, the hint and the menu would give it different IDs. */
  triggerId?: string;
  /** A single focusable element, so that keyboard users can open the hint. */
  children: ReactElement<{ 'data-hint'?: string }>;
}

const IsInArea = createContext(false);

/** A tooltip that opens on hover and on keyboard focus. Without text, it renders only its child. */
export function Hint({ text, placement = 'top', isOpen, triggerId, children }: HintProps) {
  const isInArea = useContext(IsInArea);
  if (!text) return children;
  if (isInArea && isOpen === undefined && triggerId === undefined) return cloneElement(children, { 'data-hint': text });
  return (
    <Tooltip.Root
      {...(triggerId !== undefined && { ids: { trigger: triggerId } })}
      openDelay={OPEN_DELAY_MS}
      closeDelay={80}
      closeOnPointerDown={false}
      closeOnClick={false}
      // Focus scrolls an element into view, which must not close its hint.
      closeOnScroll={false}
      positioning={{ placement }}
      lazyMount
      unmountOnExit
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

const OPEN_DELAY_MS = 250;

/**
 * Gives all hints inside it one shared tooltip, which is created when a hint first opens. For long lists, where a
 * tooltip for every icon would slow rendering down.
 */
export function HintArea({ children }: { children: ReactNode }) {
  const id = useId();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (next: Element | null, delay: number) => {
    clearTimeout(timer.current);
    if (next === anchor) return;
    const change = () => {
      anchor?.removeAttribute('aria-describedby');
      // An icon's name is its hint already, so it isn't read twice.
      if (next && next.getAttribute('aria-label') !== next.getAttribute('data-hint'))
        next.setAttribute('aria-describedby', id);
      setAnchor(next);
    };
    if (delay > 0) timer.current = setTimeout(change, delay);
    else change();
  };
  const hintOf = (target: EventTarget) => (target instanceof Element ? target.closest('[data-hint]') : null);
  return (
    <Box
      display="contents"
      onPointerOver={({ target, pointerType }) => pointerType !== 'touch' && show(hintOf(target), OPEN_DELAY_MS)}
      onPointerLeave={() => show(null, 0)}
      onFocus={({ target }) => show(target.matches(':focus-visible') ? hintOf(target) : null, 0)}
      onBlur={() => show(null, 0)}
      onKeyDown={({ key }) => key === 'Escape' && show(null, 0)}
    >
      <IsInArea value={true}>{children}</IsInArea>
      {anchor && (
        <Tooltip.Root
          key={anchor.getAttribute('data-hint')}
          open
          ids={{ content: id }}
          closeOnEscape={false}
          positioning={{ placement: 'top', getAnchorRect: () => anchor.getBoundingClientRect() }}
        >
          <Portal>
            <Tooltip.Positioner>
              <Tooltip.Content>{anchor.getAttribute('data-hint')}</Tooltip.Content>
            </Tooltip.Positioner>
          </Portal>
        </Tooltip.Root>
      )}
    </Box>
  );
}
