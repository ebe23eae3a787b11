import { Box, createToaster, Portal, Toast, Toaster } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { connectToasts } from '#lib/notices/toaster.ts';

const toaster = createToaster({ placement: 'top', duration: LIMITS.toastMs, max: LIMITS.toastsAtOnce, gap: 10 });

const looks = {
  success: { Icon: CircleCheck, colour: 'success.fg' },
  info: { Icon: Info, colour: 'info.fg' },
  error: { Icon: CircleAlert, colour: 'danger.fg' },
};

const lookOf = (type: string | undefined) => (type === 'success' || type === 'error' ? looks[type] : looks.info);

/** All visible toasts. The app mounts this component with the first toast. */
export default function ToastRegion() {
  const { cameFrom, handlers } = useFocusPassing();
  return (
    <Portal>
      <Toaster toaster={toaster} insetInline={{ mdDown: '4' }} {...handlers}>
        {(item) => {
          const { Icon, colour } = lookOf(item.type);
          return (
            <Toast.Root w={{ base: 'calc(100vw - 2rem)', xs: 'sm' }}>
              <Box color={colour} flexShrink="0">
                <Icon size={18} aria-hidden />
              </Box>
              <Box flex="1" minW="0">
                <Toast.Title>{item.title}</Toast.Title>
                {item.description && <Toast.Description>{item.description}</Toast.Description>}
              </Box>
              <Toast.CloseTrigger aria-label={t`Close`}>
                <X size={16} />
              </Toast.CloseTrigger>
              <ReturnFocus to={cameFrom} />
            </Toast.Root>
          );
        }}
      </Toaster>
      <Connection />
    </Portal>
  );
}

/**
 * Keeps toasts open while one of them is focused. The toaster's own handling returns the focus to the previous
 * element whenever the focus leaves a toast, so Tab could never move past a toast (WCAG 2.1.2).
 */
function useFocusPassing() {
  const cameFrom = useRef<HTMLElement>(null);
  const isElsewhere = ({ currentTarget, relatedTarget }: FocusEvent) => !currentTarget.contains(relatedTarget);
  const handlers = {
    onFocusCapture(event: FocusEvent) {
      event.stopPropagation();
      if (!isElsewhere(event)) return;
      cameFrom.current = event.relatedTarget instanceof HTMLElement ? event.relatedTarget : null;
      toaster.pause();
    },
    onBlurCapture(event: FocusEvent) {
      event.stopPropagation();
      if (isElsewhere(event) && !event.currentTarget.matches(':hover')) toaster.resume();
    },
  };
  return { cameFrom, handlers };
}

/**
 * Rendered inside a toast. Returns the focus to the previously focused element if the toast is removed while focused.
 */
function ReturnFocus({ to }: { to: RefObject<HTMLElement | null> }) {
  const marker = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const around = marker.current?.parentElement;
    return () => {
      if (!around?.contains(document.activeElement)) return;
      to.current?.focus({ preventScroll: true });
      // Deferred, because otherwise the toaster would render this toast again.
      queueMicrotask(() => toaster.resume());
    };
  }, [to]);
  return <span ref={marker} hidden />;
}

/**
 * Forwards toasts to the toaster. Must be rendered after `Toaster`, because toasts created before it subscribes are
 * lost.
 */
function Connection() {
  useEffect(() => {
    const connect = () =>
      connectToasts(({ kind, text, reason }) =>
        toaster.create({ type: kind, title: text, description: reason, closable: true }),
      );
    queueMicrotask(connect);
  }, []);
  return null;
}
