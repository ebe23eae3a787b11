import { Box, Flex, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface PageFrameProps {
  /** Element for the content: `div` in a preview, because a preview isn't the document's main content. */
  as?: 'main' | 'div';
  brand: ReactNode;
  /** Content at the bottom of the screen. */
  footer?: ReactNode;
  /** True if the content fills the pane. Otherwise, the content is closer to the vertical centre. */
  isFull?: boolean;
  children: ReactNode;
}

/**
 * Two panes, or a slim header above a single pane on a phone. Content is top-aligned, so that it doesn't jump as it
 * grows.
 */
export function PageFrame({ as = 'main', brand, footer, isFull = false, children }: PageFrameProps) {
  return (
    <Grid
      flex="1"
      bg="bg.panel"
      templateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 43fr) minmax(0, 57fr)' }}
      templateRows={{ base: 'auto minmax(0, 1fr)', sm: 'minmax(0, 1fr)' }}
    >
      {brand}
      <Flex direction="column" minH={{ sm: 'view' }}>
        <Box
          as={as}
          flex="1"
          w="full"
          maxW="440px"
          mx="auto"
          px="5"
          pt={{ base: '8', xs: '14', sm: isFull ? 'max({spacing.8}, 9dvh)' : 'max({spacing.8}, 24dvh)' }}
          pb="6"
          transition="padding-top 180ms"
        >
          {children}
        </Box>
        {footer && (
          <Box px="5" pb="6">
            {footer}
          </Box>
        )}
      </Flex>
    </Grid>
  );
}
