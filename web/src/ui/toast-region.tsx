import { Box, createToaster, Portal, Toast, Toaster } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
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
              <Box flex="1" minW="0">
                <Toast.Title>{item.title}</Toast.Title>
                {item.description && <Toast.Description>{item.description}</Toast.Description>}
              </Box>
              <Toast.CloseTrigger aria-label={t`Close`}>
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
      connectToasts(({ kind, text, reason }) =>
        toaster.create({ type: kind, title: text, description: reason, closable: true }),
      );
    queueMicrotask(connect);
  }, []);
  return null;
}
