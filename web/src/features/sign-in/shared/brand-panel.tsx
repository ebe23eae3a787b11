import { Center, chakra, Flex, Text } from '@chakra-ui/react';
import { type OrgSettings, splitBannerText } from '@orchestrate/shared';
import { initialOf } from '#lib/format/text.ts';

interface Ring {
  radius: number;
  opacity: number;
  /** Position of the dot on the ring, in radians; null if the ring has no dot. */
  dotAt: number | null;
}

const RINGS = 13;
const FIRST_RADIUS = 84;
const STEP = 58;

// Uses FNV-1a, which returns very different hashes for codes that differ in one letter, and the same hash in every
// browser.
function hashOf(text: string): number {
  return [...text].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0,
    2_166_136_261,
  );
}

/** Returns the rings of an organisation's pattern, which depends only on the organisation code. */
function ringsOf(orgCode: string): Ring[] {
  const hash = hashOf(orgCode);
  return Array.from({ length: RINGS }, (_, at) => {
    // Keep dots on the upper left of the outer rings, where they are visible and clear of the banner text.
    const hasDot = at > 5 && ((hash >>> at) & 1) === 0;
    const share = ((hash >>> (at * 2)) & 255) / 255;
    return {
      radius: FIRST_RADIUS + at * STEP,
      opacity: 0.24 - at * 0.0155,
      dotAt: hasDot ? Math.PI * (1.28 + share * 0.2) : null,
    };
  });
}

/** A subtle pattern behind the brand panel: rings that spread from a corner like a signal. */
function BrandPattern({ orgCode }: { orgCode: string }) {
  return (
    <chakra.svg
      aria-hidden
      viewBox="0 0 620 900"
      preserveAspectRatio="xMaxYMax slice"
      position="absolute"
      inset="0"
      w="full"
      h="full"
      color={{ base: 'brand.contrast', _dark: 'brand.line' }}
      pointerEvents="none"
    >
      <g transform="translate(560 892)" fill="none" stroke="currentColor" strokeWidth="1.5">
        {ringsOf(orgCode).map(({ radius, opacity, dotAt }) => (
          <g key={radius}>
            <circle r={radius} opacity={opacity} />
            {dotAt !== null && (
              <circle
                r="5"
                cx={radius * Math.cos(dotAt)}
                cy={radius * Math.sin(dotAt)}
                fill="currentColor"
                stroke="none"
                opacity={opacity * 2.4}
              />
            )}
          </g>
        ))}
      </g>
    </chakra.svg>
  );
}

/** The organisation's initial on a tile, in colours inverted from the panel. */
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

/**
 * Branded side of the screen: a pane with the organisation's colour, banner and copyright, or a slim header on a
 * phone.
 */
export function BrandPanel({ orgCode, settings }: { orgCode: string; settings?: OrgSettings | undefined }) {
  const { headline, rest } = splitBannerText(settings?.bannerText ?? '');
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
                overflowWrap="anywhere"
                lineClamp={4}
                // `lineClamp` sets `textWrap`, too.
                css={{ textWrap: 'balance' }}
              >
                {headline}
              </Text>
            )}
            {rest && (
              <Text fontSize="lg" whiteSpace="pre-line" maxW="md" lineClamp={5} css={{ textWrap: 'pretty' }}>
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
