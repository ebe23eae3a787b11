import { Box, chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CopyAction } from '../feedback/copy-action.tsx';

interface RawTextProps {
  /** Accessible name, e.g. 'ID token'. */
  label: string;
  text: string;
}

/** Raw text, such as a token or response, that users can read and copy. */
export function RawText({ label, text }: RawTextProps) {
  return (
    <Box borderWidth="1px" borderRadius="l2" bg="bg.subtle" minW="0">
      <chakra.pre
        textStyle="code"
        fontSize="xs"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        p="4"
        maxH="96"
        overflowY="auto"
        borderRadius="l2"
        outline="0"
        focusVisibleRing="inside"
        // Focusable, because keyboard users need to scroll the text.
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        {text}
      </chakra.pre>
      <Box borderTopWidth="1px" p="1">
        <CopyAction text={text} label={t`Copy`} />
      </Box>
    </Box>
  );
}
