import { Box, Flex } from '@chakra-ui/react';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface AlertLineProps {
  tone?: 'danger' | 'warning' | 'info';
  children: ReactNode;
}

const icons = { danger: CircleAlert, warning: TriangleAlert, info: Info };

/** A one-sentence alert above a form's button. Screen readers announce errors, but not warnings and notes. */
export function AlertLine({ tone = 'danger', children }: AlertLineProps) {
  const Icon = icons[tone];
  return (
    <Flex
      role={tone === 'danger' ? 'alert' : undefined}
      colorPalette={tone}
      gap="2.5"
      px="3.5"
      py="2.5"
      borderRadius="l2"
      bg="colorPalette.subtle"
      color="colorPalette.fg"
      textStyle="sm"
    >
      <Box pt="0.5" flexShrink="0">
        <Icon size={16} aria-hidden />
      </Box>
      <Box minW="0">{children}</Box>
    </Flex>
  );
}
