import { Box, Center, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { initialOf } from '../../lib/format/initials.ts';

const bar = (width: string) => <Box h="2" w={width} borderRadius="full" bg="bg.emphasized" />;

/** A drawing of what the stage will show, in the chosen name and colour. */
export function OpeningPreview({ name }: { name: string }) {
  const shown = name || t`Your organisation`;
  return (
    <Box aria-hidden position="relative" h="27rem" me="6">
      <Flex
        h="23rem"
        borderRadius="l3"
        borderWidth="1px"
        overflow="hidden"
        bg="bg.panel"
        boxShadow="lg"
        direction="column"
      >
        <Flex align="center" gap="1.5" px="4" h="9" borderBottomWidth="1px" bg="bg.subtle" flexShrink="0">
          {['one', 'two', 'three'].map((dot) => (
            <Box key={dot} boxSize="2.5" borderRadius="full" bg="bg.emphasized" />
          ))}
        </Flex>
        <Flex flex="1" minH="0">
          <Flex
            w="40%"
            direction="column"
            justify="space-between"
            p="5"
            bg="brand.solid"
            color="brand.contrast"
            minW="0"
          >
            <Flex align="center" gap="2.5" minW="0">
              <Tile name={shown} />
              <Text fontWeight="semibold" lineHeight="short" lineClamp={2} overflowWrap="anywhere">
                {shown}
              </Text>
            </Flex>
            <Text fontSize="xl" textWrap="balance" fontWeight="bold" letterSpacing="tight" lineHeight="short" pb="4">
              {t`Your phone is the key.`}
            </Text>
          </Flex>
          {/* The phone stands before its end. */}
          <Flex flex="1" direction="column" gap="4" justify="center" ps="6" pe="40" minW="0">
            <Text fontWeight="semibold" lineClamp={3} overflowWrap="anywhere">
              {name ? t`Sign in to ${name}` : t`Sign in to your organisation`}
            </Text>
            {bar('80%')}
            {bar('55%')}
            <Center h="9" borderRadius="l2" bg="brand.solid" color="brand.contrast" textStyle="sm" fontWeight="medium">
              {t`Sign in`}
            </Center>
          </Flex>
        </Flex>
      </Flex>
      <Flex
        position="absolute"
        bottom="0"
        right="-6"
        w="10.5rem"
        h="20rem"
        direction="column"
        justify="flex-end"
        gap="3"
        p="4"
        borderRadius="28px"
        borderWidth="7px"
        borderColor="#0C0B0A"
        outline="1px solid {colors.border.emphasized}"
        bg="bg"
        boxShadow="lg"
      >
        <Flex align="center" gap="2" minW="0">
          <Tile name={shown} isOnPaper />
          <Text textStyle="sm" fontWeight="semibold" lineHeight="short" lineClamp={2} overflowWrap="anywhere">
            {shown}
          </Text>
        </Flex>
        <Text textStyle="sm" fontWeight="medium">
          {t`Is this you?`}
        </Text>
        {bar('100%')}
        {bar('70%')}
        <Center h="9" borderRadius="l2" bg="brand.solid" color="brand.contrast" textStyle="sm" fontWeight="medium">
          {t`Approve`}
        </Center>
        <Center h="9" borderRadius="l2" borderWidth="1px" textStyle="sm">
          {t`Deny`}
        </Center>
      </Flex>
    </Box>
  );
}

function Tile({ name, isOnPaper = false }: { name: string; isOnPaper?: boolean }) {
  return (
    <chakra.span
      display="grid"
      placeItems="center"
      boxSize="7"
      flexShrink="0"
      borderRadius="l1"
      fontWeight="bold"
      bg={isOnPaper ? 'brand.solid' : 'brand.contrast'}
      color={isOnPaper ? 'brand.contrast' : 'brand.solid'}
    >
      {initialOf(name)}
    </chakra.span>
  );
}
