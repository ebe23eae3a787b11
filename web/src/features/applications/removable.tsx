import { Box, Flex, IconButton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { X } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Hint } from '#ui/feedback/hint.tsx';

interface RemovableProps {
  name: string;
  onRemove: () => void;
  children: ReactNode;
}

/** A list row with a remove button. */
export function RemovableRow({ name, onRemove, children }: RemovableProps) {
  return (
    <Flex as="li" align="center" gap="3" ps="3" py="1" _notFirst={{ borderTopWidth: '1px' }}>
      <Box flex="1" minW="0">
        {children}
      </Box>
      <Hint text={t`Remove ${name}`}>
        <IconButton {...keepFieldFocus} variant="ghost" aria-label={t`Remove ${name}`} onClick={onRemove}>
          <X />
        </IconButton>
      </Hint>
    </Flex>
  );
}

/**
 * Props that keep a button below form fields from taking focus on mousedown. Otherwise, pressing the button would
 * validate the focused field, and the field's error message would move the button away from the pointer.
 */
export const keepFieldFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() } as const;
