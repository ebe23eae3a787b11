import { Box, Flex, Text } from '@chakra-ui/react';

interface DotSeparatedProps {
  parts: readonly string[];
  textStyle: 'xs' | 'sm';
}

/** Items separated by dots. A dot at the start of a wrapped line is clipped. */
export function DotSeparated({ parts, textStyle }: DotSeparatedProps) {
  return (
    <Box overflow="hidden">
      <Flex wrap="wrap" ms="-3" textStyle={textStyle} color="fg.muted">
        {parts.map((part) => (
          <Text
            key={part}
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
