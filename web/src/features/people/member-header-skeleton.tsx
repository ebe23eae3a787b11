import { Box, Flex, Heading, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import type { AccountStatus } from '@orchestrate/shared';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { isGrey, statusLabel } from './member-status.ts';

interface MemberHeaderSkeletonProps {
  /** As the address names the member. */
  name: string;
  status: AccountStatus | undefined;
}

/** What the address already says about a member, while the rest is read. */
export function MemberHeaderSkeleton({ name, status }: MemberHeaderSkeletonProps) {
  const isOff = status !== undefined && isGrey(status);
  return (
    <Flex direction="column" gap="6" role="status">
      <VisuallyHidden>Loading the member</VisuallyHidden>
      <Flex direction="column" gap="5" p="5" bg="bg.panel" borderWidth="1px" borderRadius="l3">
        <Flex gap="4" align="center" wrap="wrap">
          <InitialsAvatar name={name} size="lg" isGrey={isOff} />
          <Box flex="1 1 16rem" minW="0">
            <Flex align="center" gap="3" wrap="wrap">
              <Heading as="h1" size="xl" overflowWrap="anywhere" color={isOff ? 'fg.muted' : undefined}>
                {name}
              </Heading>
              {status && <StatusBadge status={statusLabel(status)} />}
            </Flex>
            <Skeleton h="3" w="28" my="1" />
          </Box>
        </Flex>
        <Flex gap="10" wrap="wrap" pt="5" borderTopWidth="1px" minH="69px">
          {['48', '20', '36'].map((width) => (
            <Flex key={width} direction="column" gap="2.5" pt="1">
              <Skeleton h="2.5" w="16" />
              <Skeleton h="3" w={width} />
            </Flex>
          ))}
        </Flex>
      </Flex>
      <Box bg="bg.panel" borderWidth="1px" borderRadius="l3">
        <SkeletonRows label="Loading devices" />
      </Box>
    </Flex>
  );
}
