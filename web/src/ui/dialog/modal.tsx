import { CloseButton, Dialog, Portal } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef } from 'react';

export interface ModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called when it has left the screen: the moment to forget what it held. */
  onExitComplete?: (() => void) | undefined;
  /** The action that the dialog is for. */
  title: string;
  description?: string;
  size?: 'sm' | 'md' | 'lg';
  placement?: 'center' | 'top';
  /**
   * Keeps its height, whatever is in it: where something comes by itself, such as the answer to a question, no button
   * moves from under the pointer.
   */
  isSteady?: boolean;
  /** False where the spec says that Escape does not close it. */
  closesOnEscape?: boolean;
  role?: 'dialog' | 'alertdialog';
  initialFocus?: () => HTMLElement | null;
  footer?: ReactNode;
  children?: ReactNode;
}

/** A long text in which nothing takes the focus takes it itself, so that the keyboard can scroll it. */
function setScrollable(box: HTMLElement): void {
  const isReached = box.querySelector('a[href], button:not(:disabled), input, select, textarea') !== null;
  if (!isReached && box.scrollHeight - box.clientHeight > 1) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

const STEADY = { base: '92dvh', xs: 'min(44rem, 100dvh - 3rem)' };

/** A dialog in the middle of the page, a sheet at the bottom of a phone. */
export function Modal({ isOpen, onClose, title, description, closesOnEscape = true, ...props }: ModalProps) {
  const content = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);

  // The focused element may have disappeared with its step: then the dialog takes the focus, so that it stays inside. A
  // frame later, because the body also has the focus for the moment in which it moves from one field to the next.
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
      // The focus is trapped inside; focus that passes by outside, as on opening, must not close it.
      onFocusOutside={(event) => event.preventDefault()}
      {...(props.onExitComplete ? { onExitComplete: props.onExitComplete } : {})}
      {...(props.initialFocus ? { initialFocusEl: props.initialFocus } : {})}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content ref={content} h={props.isSteady ? STEADY : undefined}>
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
