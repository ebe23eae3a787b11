import { Flex } from '@chakra-ui/react';
import { SnapshotsCard } from './snapshots-card.tsx';
import { SpacesCard } from './spaces-card.tsx';
import { WorldCard } from './world-card.tsx';

/** What the portal is, was, and is beside itself. */
export function WorldsSection() {
  return (
    <Flex direction="column" gap="5" gridColumn={{ sm: 'span 2' }} minW="0">
      <WorldCard />
      <SnapshotsCard />
      <SpacesCard />
    </Flex>
  );
}
