import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactElement } from 'react';

interface DotSeparatedProps {
  /** Texts, or elements with a key. */
  parts: readonly (string | ReactElement)[];
  textStyle: 'xs' | 'sm';
}

/** Items separated by dots. A dot at the start of a wrapped line is clipped. */
export function DotSeparated({ parts, textStyle }: DotSeparatedProps) {
  return (
    <Box overflow="hidden">
      <Flex wrap="wrap" ms="-3" textStyle={textStyle} color="fg.muted">
        {parts.map((part) => (
          <Text
            key={typeof part === 'string' ? part : part.key}
            as="span"
            position="relative"
            ps="3"
            overflowWrap="anywhere"
            _before={{ content: '"·"', position: 'absolute', insetInlineStart: '1' }}
          >
            {part}
          </Text>
        ))}
      </Flex>
    </Box>
  );
}
