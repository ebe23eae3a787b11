import { Box, Flex, Text } from '@chakra-ui/react';

interface DottedLineProps {
  parts: readonly string[];
  textStyle: 'xs' | 'sm';
}

/** Parts with a dot between those on the same line: a dot at the beginning of a line is pushed out of sight. */
export function DottedLine({ parts, textStyle }: DottedLineProps) {
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
