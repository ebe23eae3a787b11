import { Box, Flex, Grid, Skeleton } from '@chakra-ui/react';

interface SettingsSkeletonProps {
  /** Type and number of rows in each card. Fields can be arranged in columns, and the title can have a description. */
  cards: readonly { kind: 'fields' | 'switches'; count: number; columns?: number; isDescribed?: boolean }[];
}

/** Placeholder for cards with fields and switches. */
export function SettingsSkeleton({ cards }: SettingsSkeletonProps) {
  return (
    <Flex direction="column" gap="5">
      {cards.map(({ kind, count, columns = 1, isDescribed = false }, card) => (
        <Box key={card} bg="bg.panel" borderWidth="1px" borderRadius="l3">
          <Flex
            direction="column"
            justify="center"
            gap="2"
            h={isDescribed ? '16' : '13'}
            px="5"
            borderBottomWidth="1px"
          >
            <Skeleton h="4" w="36" />
            {isDescribed && <Skeleton h="3" w="60" />}
          </Flex>
          <Grid templateColumns={`repeat(${columns}, minmax(0, 1fr))`} gap="5" p="5">
            {Array.from({ length: count }, (_, at) =>
              kind === 'fields' ? (
                <Flex key={at} direction="column" gap="2" minW="0">
                  <Skeleton h="3.5" w="28" />
                  <Skeleton h="10" />
                  <Skeleton h="3" w="64" />
                </Flex>
              ) : (
                <Flex key={at} gap="3" minW="0">
                  <Skeleton h="5" w="9" borderRadius="full" flexShrink="0" />
                  <Flex direction="column" gap="2" flex="1" minW="0" py="0.5">
                    <Skeleton h="3.5" w="40" />
                    <Skeleton h="3" w="80" />
                  </Flex>
                </Flex>
              ),
            )}
          </Grid>
        </Box>
      ))}
    </Flex>
  );
}
