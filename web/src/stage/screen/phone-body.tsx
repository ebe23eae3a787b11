import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A phone around a page, as high as there is room; on a small screen as wide, which leaves the page its size. */
export function PhoneBody({ children }: { children: ReactNode }) {
  return (
    <Flex
      mx="auto"
      h="full"
      maxH="full"
      w={{ base: 'full', sm: 'auto' }}
      maxW={{ base: '24rem', sm: 'full' }}
      aspectRatio={{ sm: '390 / 800' }}
      p={{ base: '2', sm: '2.5' }}
      bg="#0C0B0A"
      borderRadius={{ base: '32px', sm: '42px' }}
      outline="1px solid {colors.border.emphasized}"
      boxShadow="lg"
    >
      <Flex flex="1" minW="0" borderRadius={{ base: '24px', sm: '32px' }} overflow="hidden" bg="bg">
        {children}
      </Flex>
    </Flex>
  );
}
