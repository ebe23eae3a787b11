import { Box, Flex, Text } from '@chakra-ui/react';
import { Globe } from 'lucide-react';
import { type ReactNode, useState } from 'react';

/** Matches path segments that are too long to display, e.g. a member as base64. */
const LONG = /[^/]{32,}/g;

interface BrowserWindowProps {
  /** Renders the page, which must report its window for the address bar. */
  children: (onPage: (page: Window | null) => void) => ReactNode;
}

/** Draws a browser window around a page, with the page's address. */
export function BrowserWindow({ children }: BrowserWindowProps) {
  const [address, setAddress] = useState('');
  const follow = (page: Window | null) => {
    if (!page) return;
    const update = () => setAddress(page.location.host + page.location.pathname.replaceAll(LONG, '…'));
    update();
    // Portal pages can change their address without a reload, so check the address after every DOM change.
    new MutationObserver(update).observe(page.document, { childList: true, subtree: true });
  };
  return (
    <Flex
      direction="column"
      h="full"
      minH="0"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      overflow="hidden"
      boxShadow="sm"
    >
      <Flex align="center" gap="3" h="10" px="4" bg="bg.subtle" borderBottomWidth="1px" flexShrink="0">
        <Flex gap="1.5" aria-hidden>
          {['one', 'two', 'three'].map((dot) => (
            <Box key={dot} boxSize="2.5" borderRadius="full" bg="bg.emphasized" />
          ))}
        </Flex>
        <Flex
          flex="1"
          align="center"
          gap="2"
          minW="0"
          h="6.5"
          px="3"
          borderRadius="full"
          bg="bg.panel"
          borderWidth="1px"
          color="fg.muted"
        >
          <Globe size={12} aria-hidden />
          <Text textStyle="xs" truncate>
            {address}
          </Text>
        </Flex>
      </Flex>
      {children(follow)}
    </Flex>
  );
}
