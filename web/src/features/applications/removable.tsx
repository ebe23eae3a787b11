import { Box, Flex, IconButton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { keepFieldFocus } from '#lib/browser/focus.ts';
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
