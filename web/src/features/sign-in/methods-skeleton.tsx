import { Box, Flex, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';

/** Placeholder for the code while a sign-in starts. */
export function PanelSkeleton() {
  return (
    <Flex role="status" aria-label={t`Loading`} direction="column" align="center" gap="4">
      <Skeleton w="308px" aspectRatio="1" borderRadius="20px" />
      <Skeleton h="5" w="52" />
      <Box minH="9" />
    </Flex>
  );
}

/** Placeholder for the remembered member. */
export function PersonSkeleton() {
  return <Skeleton role="status" aria-label={t`Loading`} h="16" borderRadius="l3" />;
}

/** Placeholder for the user name form. */
export function NameFormSkeleton() {
  return (
    <Flex role="status" aria-label={t`Loading`} direction="column" gap="5">
      <Flex direction="column" gap="1.5">
        <Skeleton h="5" w="36" />
        <Skeleton h="11" />
        <Skeleton h="4" w="72" />
      </Flex>
      <Skeleton h="12" />
    </Flex>
  );
}

/** Placeholder for the sign-in methods. */
export function MethodsSkeleton() {
  return (
    <Flex direction="column" gap="6">
      <Skeleton h="11" />
      <PanelSkeleton />
    </Flex>
  );
}
