import { Box, Flex, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface PageFrameProps {
  /** Element of the card. Use 'div' in a preview, because a preview isn't the document's main content. */
  as?: 'main' | 'div';
  /** Second column of the card, e.g. the organisation's banner. Below the content on a phone. */
  side: ReactNode;
  /** True to hide the second column on a phone. */
  isSideOptional?: boolean;
  /** Content below the first column. On a phone, it is below the second one. */
  more?: ReactNode;
  /** Content at the bottom of the screen. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A light wash of the brand colour, as a background image. */
export const wash = (amount: number) =>
  `radial-gradient(60rem 24rem at 50% -4rem, color-mix(in oklab, {colors.brand.solid} ${amount}%, transparent), transparent), radial-gradient(36rem 24rem at 100% 104%, color-mix(in oklab, {colors.brand.solid} ${amount * 0.6}%, transparent), transparent)`;

/**
 * One card on a light wash of the brand colour. The card's height and position are the same in every state, so nothing
 * jumps when its content changes. The server draws the same card before the client is loaded (`first-look.ts`).
 */
export function PageFrame({ as = 'main', side, isSideOptional = false, more, footer, children }: PageFrameProps) {
  return (
    <Flex
      direction="column"
      flex="1"
      minH={{ sm: 'view' }}
      px={{ base: '0', xs: '5' }}
      bg="bg"
      backgroundImage={{ base: wash(30), _dark: wash(11) }}
      backgroundRepeat="no-repeat"
    >
      <Grid
        as={as}
        w="full"
        maxW={{ base: '30rem', sm: '56rem' }}
        minH={{ sm: '36rem' }}
        mx="auto"
        mt={{ base: '0', xs: 'max({spacing.6}, calc((100dvh - 42rem) / 2))' }}
        templateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) 26rem' }}
        templateRows={{ sm: 'auto minmax(0, 1fr)' }}
        bg={{ base: 'transparent', xs: 'bg.panel' }}
        borderWidth={{ base: '0', xs: '1px' }}
        borderRadius={{ xs: 'xl' }}
        boxShadow={{ xs: 'lg' }}
        overflow="hidden"
      >
        <Box px={{ base: '5', xs: '10' }} pt={{ base: '8', xs: '10' }} pb={{ base: '0', sm: '6' }} minW="0">
          {children}
        </Box>
        <Flex
          direction="column"
          display={isSideOptional ? { base: 'none', sm: 'flex' } : 'flex'}
          position="relative"
          gridColumn={{ sm: '2' }}
          gridRow={{ sm: '1 / 3' }}
          px={{ base: '5', xs: '10', sm: '7' }}
          pt={{ base: '6', sm: '7' }}
          pb={{ base: '0', sm: '7' }}
          minW="0"
          overflow="hidden"
          bg={{ sm: 'color-mix(in oklab, {colors.brand.solid} 7%, {colors.bg.panel})' }}
          borderStartWidth={{ sm: '1px' }}
        >
          {side}
        </Flex>
        <Flex
          direction="column"
          justify="space-between"
          gap="6"
          gridColumn={{ sm: '1' }}
          px={{ base: '5', xs: '10' }}
          pt={{ base: '6', sm: '0' }}
          pb={{ base: '8', sm: '9' }}
          minW="0"
        >
          {more}
        </Flex>
      </Grid>
      <Box flex="1" />
      {footer && (
        <Box px="5" pt={{ base: '0', xs: '4' }} pb="4">
          {footer}
        </Box>
      )}
    </Flex>
  );
}
