import { Box, Flex, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';

interface SkeletonRowsProps {
  rows?: number;
  /** `sm` for rows of 52 instead of 64 px. */
  size?: 'sm' | 'md';
  /** Text for screen readers, e.g. 'Loading devices'. */
  label: string;
}

/** A skeleton for lists whose rows have an icon, two lines and a badge. */
export function SkeletonRows({ rows = LIMITS.skeletonRows, size = 'md', label }: SkeletonRowsProps) {
  return (
    <Box role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Flex
          key={row}
          align="center"
          gap="3"
          px="5"
          py={size === 'sm' ? '2' : '3.5'}
          borderTopWidth={row === 0 ? '0' : '1px'}
        >
          <Skeleton boxSize="9" borderRadius="l2" />
          <Flex direction="column" gap="2" flex="1" minW="0">
            <Skeleton h="3" w="40%" />
            <Skeleton h="2.5" w="65%" />
          </Flex>
          <Skeleton h="6" w="16" />
        </Flex>
      ))}
    </Box>
  );
}
