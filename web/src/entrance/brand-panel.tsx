import { Center, chakra, Flex, Text } from '@chakra-ui/react';
import type { OrgSettings } from '@orchestrate/shared';
import { initialOf } from '../lib/format/initials.ts';
import { bannerLines } from './banner-lines.ts';
import { BrandPattern } from './brand-pattern.tsx';

/** The organisation's letter on a tile, inverted against the panel behind it. */
function LetterMark({ name }: { name: string }) {
  return (
    <Center
      aria-hidden
      boxSize={{ base: '8', sm: '9' }}
      flexShrink="0"
      borderRadius="l2"
      bg={{ base: 'brand.contrast', _dark: 'brand.solid' }}
      color={{ base: 'brand.solid', _dark: 'brand.contrast' }}
      fontWeight="bold"
      fontSize="lg"
    >
      {initialOf(name)}
    </Center>
  );
}

/** The organisation's side of the page: a pane with its colour, banner and copyright; a slim header on a phone. */
export function BrandPanel({ orgCode, settings }: { orgCode: string; settings?: OrgSettings | undefined }) {
  const { headline, rest } = bannerLines(settings?.bannerText ?? '');
  const isLong = headline.length > 48;
  return (
    <Flex
      as="header"
      position={{ base: 'relative', sm: 'sticky' }}
      top="notice"
      direction={{ base: 'row', sm: 'column' }}
      align={{ base: 'center', sm: 'stretch' }}
      h={{ base: 'header', sm: 'view' }}
      px={{ base: '5', sm: '14' }}
      py={{ base: '0', sm: '14' }}
      gap={{ base: '6', sm: '14' }}
      overflow="hidden"
      bg={{ base: 'brand.solid', _dark: 'brand.subtle' }}
      color={{ base: 'brand.contrast', _dark: 'fg' }}
    >
      <BrandPattern orgCode={orgCode} />
      {settings && (
        <>
          <Flex position="relative" align="center" gap="3" minW="0">
            <LetterMark name={settings.name} />
            <Text fontSize={{ base: 'lg', sm: 'lg' }} fontWeight="semibold" truncate>
              {settings.name}
            </Text>
          </Flex>
          <Flex
            position="relative"
            display={{ base: 'none', sm: 'flex' }}
            direction="column"
            gap="4"
            mt="auto"
            maxW="lg"
          >
            {headline && (
              <Text
                fontSize={isLong ? '3xl' : '4xl'}
                fontWeight="bold"
                letterSpacing="tight"
                lineHeight="short"
                textWrap="balance"
                overflowWrap="anywhere"
                lineClamp={4}
              >
                {headline}
              </Text>
            )}
            {rest && (
              <Text fontSize="lg" whiteSpace="pre-line" maxW="md" textWrap="pretty" lineClamp={5}>
                {rest}
              </Text>
            )}
          </Flex>
          {settings.copyrightText && (
            <chakra.small
              position="relative"
              display={{ base: 'none', sm: 'block' }}
              textStyle="xs"
              minH="4"
              overflowWrap="anywhere"
            >
              {settings.copyrightText}
            </chakra.small>
          )}
        </>
      )}
    </Flex>
  );
}
