import { Box, Flex, Grid, Heading, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AccountStatus, LIMITS } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { isGrey, statusBadge } from '../../../members/member-status.ts';
import { InitialsAvatar } from '../../../ui/initials-avatar.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';

interface MemberSkeletonProps {
  /** The member as named by the address. */
  name: string;
  status: AccountStatus | undefined;
}

/** Skeleton of the page, with what the address already says about the member. */
export function MemberSkeleton({ name, status }: MemberSkeletonProps) {
  const isOff = status !== undefined && isGrey(status);
  return (
    <Flex direction="column" gap="6">
      <title>{t`${name} · Orchestrate`}</title>
      <VisuallyHidden role="status">{t`Loading the member`}</VisuallyHidden>
      <Flex direction="column" gap="5" p="5" bg="bg.panel" borderWidth="1px" borderRadius="l3">
        <Flex gap="4" align="center" wrap="wrap">
          <InitialsAvatar name={name} size="lg" isGrey={isOff} />
          <Box flex="1 1 16rem" minW="0">
            <Flex align="center" gap="3" wrap="wrap">
              <Heading as="h1" size="xl" overflowWrap="anywhere" color={isOff ? 'fg.muted' : undefined}>
                {name}
              </Heading>
              {status && <StatusBadge {...statusBadge(status)} />}
            </Flex>
            <Flex align="center" h="5.5">
              <Skeleton h="3" w="28" />
            </Flex>
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
      <Grid
        aria-hidden
        templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 378px' }}
        gap="6"
        alignItems="start"
      >
        <Flex direction="column" gap="6" minW="0">
          <SkeletonSection>
            <Grid templateColumns={{ base: '1fr', xs: 'repeat(2, 1fr)' }} gap="10" p="5">
              <CodeSkeleton />
              <CodeSkeleton />
            </Grid>
          </SkeletonSection>
          <SkeletonSection>
            <SkeletonRows label="" />
          </SkeletonSection>
        </Flex>
        <SkeletonSection>
          <SkeletonRows rows={LIMITS.memberLoginHistoryCount} label="" />
        </SkeletonSection>
      </Grid>
    </Flex>
  );
}

function SkeletonSection({ children }: { children: ReactNode }) {
  return (
    <Box bg="bg.panel" borderWidth="1px" borderRadius="l3">
      <Flex align="center" minH="13" px="5" borderBottomWidth="1px">
        <Skeleton h="3" w="32" />
      </Flex>
      {children}
    </Box>
  );
}

function CodeSkeleton() {
  return (
    <Flex direction="column" gap="4">
      <Flex align="center" gap="3">
        <Skeleton boxSize="9" borderRadius="l2" />
        <Skeleton h="3" w="16" />
      </Flex>
      <Skeleton h="14" borderRadius="l2" />
      <Skeleton h="3" w="70%" />
      <Skeleton h="8" w="24" borderRadius="l2" />
    </Flex>
  );
}
