import { Box, chakra } from '@chakra-ui/react';
import { CopyButton } from '../ui/copy-button.tsx';

/** Code that can be read, scrolled by keys, and copied. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <Box position="relative" borderWidth="1px" borderRadius="l2" bg="bg.subtle">
    <chakra.pre
      textStyle="code"
      fontSize="xs"
      lineHeight="tall"
      p="3"
      pe="12"
      maxH="80"
      overflow="auto"
      borderRadius="l2"
      outline="0"
      focusVisibleRing="inside"
      // Focusable, because it scrolls.
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {text}
    </chakra.pre>
    <CopyButton text={text} label={`Copy ${label}`} size="xs" position="absolute" top="1" insetEnd="1" bg="bg.subtle" />
  </Box>
);
