import { chakra, Flex, Skeleton } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { ListLine } from '#ui/list/list-end.tsx';

const columns = { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 19rem), 1fr))', gap: '4' };

interface MemberGridProps {
  label: string;
  isBusy?: boolean;
  children: ReactNode;
}

export function MemberGrid({ label, isBusy = false, children }: MemberGridProps) {
  return (
    <chakra.ul aria-label={label} aria-busy={isBusy || undefined} listStyleType="none" {...columns}>
      {children}
    </chakra.ul>
  );
}

/** Renders skeleton cards. */
export function SkeletonCards() {
  return Array.from({ length: LIMITS.skeletonCards }, (_, card) => (
    <Flex
      key={card}
      as="li"
      aria-hidden
      direction="column"
      gap="3.5"
      p="5"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
    >
      <Flex gap="3" align="center">
        <Skeleton boxSize="10" borderRadius="full" />
        <Flex direction="column" gap="2" flex="1">
          <Skeleton h="3" w="50%" />
          <Skeleton h="2.5" w="75%" />
        </Flex>
      </Flex>
      <Flex gap="2.5" align="center" minH="6">
        <Skeleton h="6" w="16" />
        <Skeleton h="2.5" w="24" />
      </Flex>
      <Flex justify="space-between" align="center" pt="3.5" borderTopWidth="1px" minH="36.5px">
        <Skeleton h="2.5" w="16" />
        <Skeleton h="2.5" w="8" />
      </Flex>
    </Flex>
  ));
}

/** Placeholder while the first members load, with four skeleton cards (spec 1 §2) below an empty count line. */
export function LoadingGrid({ label }: { label: string }) {
  return (
    <Flex direction="column" gap="4">
      <ListLine>{label}</ListLine>
      <chakra.ul aria-hidden listStyleType="none" {...columns}>
        <SkeletonCards />
      </chakra.ul>
    </Flex>
  );
}
