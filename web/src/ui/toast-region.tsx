import { Box, createToaster, Portal, Toast, Toaster } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { connectToasts } from '../lib/notices/toaster.ts';

const toaster = createToaster({ placement: 'top', duration: LIMITS.toastMs, max: LIMITS.toastsAtOnce, gap: 10 });

const looks = {
  success: { Icon: CircleCheck, colour: 'success.fg' },
  info: { Icon: Info, colour: 'info.fg' },
  error: { Icon: CircleAlert, colour: 'danger.fg' },
};

const lookOf = (type: string | undefined) => (type === 'success' || type === 'error' ? looks[type] : looks.info);

/** Where toasts appear. The app mounts it with the first toast. */
export default function ToastRegion() {
  return (
    <Portal>
      <Toaster toaster={toaster} insetInline={{ mdDown: '4' }}>
        {(item) => {
          const { Icon, colour } = lookOf(item.type);
          return (
            <Toast.Root w={{ base: 'calc(100vw - 2rem)', xs: 'sm' }}>
              <Box color={colour} flexShrink="0">
                <Icon size={18} aria-hidden />
              </Box>
              <Toast.Title>{item.title}</Toast.Title>
              <Toast.CloseTrigger aria-label="Close">
                <X size={16} />
              </Toast.CloseTrigger>
            </Toast.Root>
          );
        }}
      </Toaster>
      <Connection />
    </Portal>
  );
}

/**
 * Rendered after the toaster, so that its effect runs after the toaster's, and waits until the toaster listens: a toast
 * created earlier is never drawn.
 */
function Connection() {
  useEffect(() => {
    const connect = () =>
      connectToasts(({ kind, text }) => toaster.create({ type: kind, title: text, closable: true }));
    queueMicrotask(connect);
  }, []);
  return null;
}
