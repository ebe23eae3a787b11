import { Box, Flex, Grid, Heading, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AccountStatus, LIMITS } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { isGreyedOut, statusBadge } from '../shared/member-status.ts';

interface MemberSkeletonProps {
  /** Name from the URL. */
  name: string;
  status: AccountStatus | undefined;
}

/** Placeholder for the page, with the name and status from the URL. */
export function MemberSkeleton({ name, status }: MemberSkeletonProps) {
  const isOff = status !== undefined && isGreyedOut(status);
  return (
    <Flex direction="column" gap="6">
      <title>{t`${name} · Orchestrate`}</title>
      <VisuallyHidden role="status">{t`Loading member`}</VisuallyHidden>
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
      <Grid aria-hidden gap="6" alignItems="start" css={COLUMNS}>
        <Flex direction="column" gap="6" minW="0">
          {status && !isOff && (
            <SkeletonSection>
              <Grid templateColumns={{ base: '1fr', xs: 'repeat(2, 1fr)' }} gap="10" p="5">
                <CodeSkeleton />
                <CodeSkeleton />
              </Grid>
            </SkeletonSection>
          )}
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

/** Two columns as soon as the devices fit next to the sign-ins. */
export const COLUMNS = {
  gridTemplateColumns: 'minmax(0, 1fr)',
  '@media (min-width: 75rem)': { gridTemplateColumns: 'minmax(0, 1fr) 22rem' },
  '@media (min-width: 83.5rem)': { gridTemplateColumns: 'minmax(0, 1fr) 23.625rem' },
};

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
