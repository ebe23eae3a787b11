import { chakra, Flex, Skeleton } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import type { ReactNode, RefObject } from 'react';

const columns = { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 18rem), 1fr))', gap: '3' };

interface MemberGridProps {
  label: string;
  isBusy?: boolean;
  rows?: RefObject<HTMLElement | null>;
  /** Space for cards that aren't rendered, in px. */
  space?: { before: number; after: number };
  children: ReactNode;
}

export function MemberGrid({ label, isBusy = false, rows, space, children }: MemberGridProps) {
  return (
    <chakra.ul
      ref={rows as RefObject<HTMLUListElement>}
      aria-label={label}
      aria-busy={isBusy || undefined}
      listStyleType="none"
      style={space && { paddingTop: space.before, paddingBottom: space.after }}
      {...columns}
    >
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
      px="3.5"
      py="3"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
    >
      <Flex gap="3" align="center" h="10.5">
        <Skeleton boxSize="10" borderRadius="full" />
        <Flex direction="column" gap="2" flex="1">
          <Skeleton h="3" w="50%" />
          <Skeleton h="2.5" w="75%" />
        </Flex>
      </Flex>
      <Flex justify="space-between" align="center" mt="2.5" pt="2" borderTopWidth="1px" minH="7">
        <Skeleton h="2.5" w="32" />
        <Skeleton h="2.5" w="16" />
      </Flex>
    </Flex>
  ));
}

/** A line with the number of members, as high as the controls that can be next to it. */
export function CountLine({ children }: { children: ReactNode }) {
  return (
    <Flex as="p" role="status" align="center" minH="9" textStyle="sm" color="fg.muted">
      {children}
    </Flex>
  );
}

/** Placeholder while the first members load, with four skeleton cards (spec 1 §2) below an empty count line. */
export function LoadingGrid({ label }: { label: string }) {
  return (
    <Flex direction="column" gap="4">
      <CountLine>{label}</CountLine>
      <chakra.ul aria-hidden listStyleType="none" {...columns}>
        <SkeletonCards />
      </chakra.ul>
    </Flex>
  );
}
