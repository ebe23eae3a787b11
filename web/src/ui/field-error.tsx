import { Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/**
 * What is wrong with a field that is not one of Chakra's; announced when it appears. @param id for `aria-describedby`
 */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <Flex id={id} role="alert" align="center" gap="1.5" textStyle="xs" fontWeight="medium" color="fg.error">
      <CircleAlert size={14} aria-hidden />
      {children}
    </Flex>
  );
}
