import { Center } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The grey tile behind the icon of a row. */
export function IconTile({ children }: { children: ReactNode }) {
  return (
    <Center boxSize="9" borderRadius="l2" bg="bg.muted" color="fg.muted" flexShrink="0">
      {children}
    </Center>
  );
}
