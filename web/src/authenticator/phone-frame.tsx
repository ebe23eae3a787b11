import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { format } from 'date-fns';
import type { ReactNode } from 'react';
import { authenticator } from './this-phone.ts';

/**
 * A phone: the whole screen on a real one, a frame in the middle of the page on a desktop. The frame is the containing
 * block of everything fixed inside it, so sheets stay inside the phone.
 */
export function PhoneFrame({ children }: { children: ReactNode }) {
  return (
    <Grid
      minH="view"
      templateColumns={{ base: '1fr', xs: 'auto', sm: '1fr auto 1fr' }}
      alignItems="center"
      justifyContent="center"
      columnGap="14"
      p={{ base: '0', xs: '6' }}
      bg={{ base: 'bg', xs: 'bg.muted' }}
    >
      <Flex
        gridColumn={{ sm: 2 }}
        direction="column"
        position="relative"
        w={{ base: 'full', xs: '414px' }}
        h={{ base: 'view', xs: 'min(868px, calc({sizes.view} - 3rem))' }}
        flexShrink="0"
        overflow="hidden"
        transform="translateZ(0)"
        bg="bg"
        borderRadius={{ base: '0', xs: '52px' }}
        border={{ base: 'none', xs: '12px solid #0C0B0A' }}
        outline={{ base: 'none', xs: '1px solid {colors.border.emphasized}' }}
        boxShadow={{ base: 'none', xs: 'lg' }}
      >
        <StatusBar />
        {children}
      </Flex>
      <Text as="aside" display={{ base: 'none', sm: 'block' }} maxW="64" color="fg.muted" textWrap="pretty">
        {t`A simulated phone: its keys are real, and it talks to the portal like any authenticator does.`}
      </Text>
    </Grid>
  );
}

/** Only on the drawn phone: a real phone shows its own. */
function StatusBar() {
  return (
    <Flex
      display={{ base: 'none', xs: 'flex' }}
      aria-hidden
      justify="space-between"
      align="center"
      px="7"
      pt="4"
      pb="1"
      textStyle="sm"
      fontWeight="semibold"
    >
      <chakra.span fontVariantNumeric="tabular-nums">{format(authenticator.portalNow(), 'H:mm')}</chakra.span>
      <Box boxSize="3" borderRadius="full" bg="#0C0B0A" position="absolute" left="50%" top="3.5" translate="-50% 0" />
      <chakra.span color="fg.subtle" textStyle="xs" fontWeight="medium">
        {t`simulated`}
      </chakra.span>
    </Flex>
  );
}
