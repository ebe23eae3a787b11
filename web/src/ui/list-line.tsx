import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A sentence above a list that says what it holds. */
export function ListLine({ children }: { children: ReactNode }) {
  return (
    <Text role="status" textStyle="sm" color="fg.muted" mt="-2">
      {children}
    </Text>
  );
}
