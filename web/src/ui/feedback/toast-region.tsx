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

/** Where toasts appear. The app mounts it with the first toast. */
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
              <GiveFocusBack to={cameFrom} />
            </Toast.Root>
          );
        }}
      </Toaster>
      <Connection />
    </Portal>
  );
}

/**
 * Toasts stay while one of them has the focus, and let it pass: the toaster's own way of doing the first gives the focus
 * back to where it came from whenever it leaves, so that nobody got past a toast with Tab (WCAG 2.1.2).
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

/** Inside a toast: when it is removed with the focus in it, the focus returns to where it came from. */
function GiveFocusBack({ to }: { to: RefObject<HTMLElement | null> }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const around = place.current?.parentElement;
    return () => {
      if (!around?.contains(document.activeElement)) return;
      to.current?.focus({ preventScroll: true });
      // Later, because the toaster would draw this one again.
      queueMicrotask(() => toaster.resume());
    };
  }, [to]);
  return <span ref={place} hidden />;
}

/**
 * Rendered after the toaster, so that its effect runs after the toaster's, and waits until the toaster listens: a toast
 * created earlier is never drawn.
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
