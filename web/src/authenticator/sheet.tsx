import { Box, CloseButton, Drawer, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ReactNode, useRef } from 'react';

interface SheetProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called after the exit animation. Opening another sheet before this call would close that sheet, too. */
  onGone?: () => void;
  /** Visible title and accessible name. */
  title: string;
  /** True if the content displays the title itself. Screen readers still announce it. */
  isTitleHidden?: boolean;
  /** Line below the title. */
  description?: ReactNode;
  /** Icon before the title. */
  tile?: ReactNode;
  children: ReactNode;
  /** Buttons that stay visible at the bottom. */
  footer?: ReactNode;
}

/**
 * A sheet that slides up from the bottom of the phone. It focuses the `data-autofocus` field or, if there is none,
 * itself. This way, no button has focus by default and the keyboard doesn't open unexpectedly.
 */
export function Sheet({
  isOpen,
  onClose,
  onGone,
  title,
  isTitleHidden,
  description,
  tile,
  children,
  footer,
}: SheetProps) {
  const content = useRef<HTMLDivElement>(null);
  return (
    <Drawer.Root
      open={isOpen}
      onOpenChange={({ open }) => !open && onClose()}
      {...(onGone ? { onExitComplete: onGone } : {})}
      placement="bottom"
      initialFocusEl={() => content.current?.querySelector<HTMLElement>('[data-autofocus]') ?? content.current}
      lazyMount
      unmountOnExit
    >
      <Drawer.Backdrop />
      <Drawer.Positioner>
        <Drawer.Content
          ref={content}
          maxH="94%"
          pb="env(safe-area-inset-bottom)"
          borderTopWidth="1px"
          borderColor="border"
        >
          <Box aria-hidden w="10" h="1" mx="auto" mt="2.5" borderRadius="full" bg="border.emphasized" flexShrink="0" />
          <Flex align="center" gap="3" ps="6" pe="14" pt="5" pb="3" {...(isTitleHidden ? { srOnly: true } : {})}>
            {tile}
            <Flex direction="column" gap="0.5" minW="0">
              <Drawer.Title fontSize="xl" fontWeight="semibold" letterSpacing="tight" lineHeight="short">
                {title}
              </Drawer.Title>
              {description && (
                <Drawer.Description textStyle="sm" color="fg.muted">
                  {description}
                </Drawer.Description>
              )}
            </Flex>
          </Flex>
          <Drawer.Body px="6" pt="1" pb={footer ? '4' : '7'}>
            {children}
          </Drawer.Body>
          {footer && (
            <Flex gap="3" px="6" pt="2" pb="7">
              {footer}
            </Flex>
          )}
          <Drawer.CloseTrigger asChild>
            <CloseButton aria-label={t`Close`} size="sm" top="5" insetEnd="4" position="absolute" />
          </Drawer.CloseTrigger>
        </Drawer.Content>
      </Drawer.Positioner>
    </Drawer.Root>
  );
}
