import { Box, chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CopyAction } from '../feedback/copy-action.tsx';

interface RawTextProps {
  /** Accessible name, e.g. 'ID token'. */
  label: string;
  text: string;
}

/** Preformatted text that scrolls. Focusable, because keyboard users need to scroll it. */
export const Pre = ({ label, text, ...style }: RawTextProps & Omit<HTMLChakraProps<'pre'>, 'children'>) => (
  <chakra.pre
    textStyle="code"
    fontSize="xs"
    overflow="auto"
    borderRadius="l2"
    outline="0"
    focusVisibleRing="inside"
    tabIndex={0}
    role="group"
    aria-label={label}
    {...style}
  >
    {text}
  </chakra.pre>
);

/** Raw text, such as a token or response, that users can read and copy. */
export function RawText({ label, text }: RawTextProps) {
  return (
    <Box borderWidth="1px" borderRadius="l2" bg="bg.subtle" minW="0">
      <Pre label={label} text={text} whiteSpace="pre-wrap" overflowWrap="anywhere" p="4" maxH="96" />
      <Box borderTopWidth="1px" p="1">
        <CopyAction text={text} label={t`Copy`} />
      </Box>
    </Box>
  );
}
