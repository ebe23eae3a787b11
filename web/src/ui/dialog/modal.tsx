import { CloseButton, Dialog, Portal } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef } from 'react';

export interface ModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called after the exit animation, when the dialog's state can be reset. */
  onExitComplete?: (() => void) | undefined;
  /** Title that states the dialog's action, e.g. 'Delete device'. */
  title: string;
  description?: string;
  size?: 'sm' | 'md' | 'lg';
  placement?: 'center' | 'top';
  /** Keeps the height fixed when content appears without user input, so that no button moves from under the pointer. */
  hasFixedHeight?: boolean;
  /** False for dialogs that the spec keeps open on Escape. */
  closesOnEscape?: boolean;
  role?: 'dialog' | 'alertdialog';
  initialFocus?: () => HTMLElement | null;
  footer?: ReactNode;
  children?: ReactNode;
}

/** Makes a scrollable box focusable if it contains nothing focusable, so that keyboard users can scroll it. */
function setScrollable(box: HTMLElement): void {
  const isReached = box.querySelector('a[href], button:not(:disabled), input, select, textarea') !== null;
  if (!isReached && box.scrollHeight - box.clientHeight > 1) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

const FIXED_HEIGHT = { base: '92dvh', xs: 'min(44rem, 100dvh - 3rem)' };

/** A dialog, shown in the middle of the page, or as a sheet at the bottom on a phone. */
export function Modal({ isOpen, onClose, title, description, closesOnEscape = true, ...props }: ModalProps) {
  const content = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);

  // If the focused element disappears with its step, focuses the dialog to keep the focus inside. Checks a frame
  // later, because the body is briefly focused whenever the focus moves between fields.
  useEffect(() => {
    if (!isOpen) return;
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) content.current?.focus();
      if (body.current) setScrollable(body.current);
    });
    return () => cancelAnimationFrame(frame);
  });

  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={({ open }) => !open && onClose()}
      size={props.size ?? 'sm'}
      placement={props.placement ?? 'center'}
      role={props.role ?? 'dialog'}
      closeOnEscape={closesOnEscape}
      closeOnInteractOutside={closesOnEscape}
      // The focus trap keeps the focus inside, but the focus can briefly be outside while the dialog opens, which
      // must not close it.
      onFocusOutside={(event) => event.preventDefault()}
      {...(props.onExitComplete ? { onExitComplete: props.onExitComplete } : {})}
      {...(props.initialFocus ? { initialFocusEl: props.initialFocus } : {})}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content ref={content} h={props.hasFixedHeight ? FIXED_HEIGHT : undefined}>
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
              {description && <Dialog.Description>{description}</Dialog.Description>}
            </Dialog.Header>
            {props.children && <Dialog.Body ref={body}>{props.children}</Dialog.Body>}
            {props.footer && <Dialog.Footer>{props.footer}</Dialog.Footer>}
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" aria-label={t`Close`} />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}
