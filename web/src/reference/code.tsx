import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { Pre } from '#ui/text/raw-text.tsx';

/** A scrollable code block with a copy button. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <Flex align="start" borderWidth="1px" borderRadius="l2" bg="bg.subtle">
    <Pre label={label} text={text} lineHeight="tall" p="3" flex="1" minW="0" maxH="80" />
    <CopyButton text={text} label={t`Copy ${label}`} size="xs" m="1" />
  </Flex>
);
