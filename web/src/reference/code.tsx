import { chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CopyButton } from '#ui/feedback/copy-button.tsx';

/** A scrollable code block with a copy button. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <Flex align="start" borderWidth="1px" borderRadius="l2" bg="bg.subtle">
    <chakra.pre
      textStyle="code"
      fontSize="xs"
      lineHeight="tall"
      p="3"
      flex="1"
      minW="0"
      maxH="80"
      overflow="auto"
      borderRadius="l2"
      outline="0"
      focusVisibleRing="inside"
      // Focusable, because keyboard users need to scroll the code.
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {text}
    </chakra.pre>
    <CopyButton text={text} label={t`Copy ${label}`} size="xs" m="1" />
  </Flex>
);
