import { Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { TryCheck } from '@orchestrate/shared';
import { Check, X } from 'lucide-react';
import { said } from '../words/said.ts';

/** One check of a token or response: whether it is met, and the finding. An item of a list. */
export function CheckRow({ check: { name, isMet, detail } }: { check: TryCheck }) {
  const Icon = isMet ? Check : X;
  return (
    <Flex as="li" gap="3" px="5" py="3" borderTopWidth="1px" align="flex-start">
      <Flex
        role="img"
        aria-label={isMet ? t`Met` : t`Not met`}
        colorPalette={isMet ? 'success' : 'danger'}
        boxSize="6"
        flexShrink="0"
        align="center"
        justify="center"
        borderRadius="full"
        bg="colorPalette.subtle"
        color="colorPalette.fg"
      >
        <Icon size={14} aria-hidden />
      </Flex>
      <Text fontWeight="medium" w={{ base: '28', sm: '40' }} flexShrink="0">
        {said(name)}
      </Text>
      <Text color="fg.muted" minW="0" overflowWrap="anywhere">
        {said(detail)}
      </Text>
    </Flex>
  );
}
