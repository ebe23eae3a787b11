import { Box, Flex, Skeleton } from '@chakra-ui/react';

/** While a sign-in is being begun, in the shape of what comes. */
export function StageSkeleton() {
  return (
    <Flex role="status" aria-label="Loading" direction="column" align="center" gap="4">
      <Skeleton w="308px" maxW="full" aspectRatio="1" borderRadius="20px" />
      <Skeleton h="5" w="52" />
      <Box minH="9" />
    </Flex>
  );
}

/** While the form for the person's name is on its way. */
export function NameFormSkeleton() {
  return (
    <Flex role="status" aria-label="Loading" direction="column" gap="5">
      <Flex direction="column" gap="1.5">
        <Skeleton h="5" w="36" />
        <Skeleton h="11" />
        <Skeleton h="4" w="72" maxW="full" />
      </Flex>
      <Skeleton h="12" />
    </Flex>
  );
}

/** While the ways themselves are on their way. */
export function WaysSkeleton() {
  return (
    <Flex direction="column" gap="6">
      <Skeleton h="11" />
      <StageSkeleton />
    </Flex>
  );
}
