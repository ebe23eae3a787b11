import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Lays out the form on the left and the preview on the right, or below the form on narrow screens. */
export function BrandingColumns({ children }: { children: ReactNode }) {
  return (
    <Flex
      wrap="wrap"
      gap="6"
      align="flex-start"
      css={{
        '& > *': { flex: '999 1 min(100%, 28rem)' },
        '& > :last-child': { flex: '1 1 min(100%, 462px)', minW: 0 },
      }}
    >
      {children}
    </Flex>
  );
}
