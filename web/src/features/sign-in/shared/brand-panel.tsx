import { chakra, Flex, Text } from '@chakra-ui/react';
import { type OrgSettings, splitBannerText } from '@orchestrate/shared';

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
    // Keep dots on the lower left of the inner rings, where they are visible and clear of the banner text.
    const hasDot = at > 1 && at < 8 && ((hash >>> at) & 1) === 0;
    const share = ((hash >>> (at * 2)) & 255) / 255;
    return {
      radius: FIRST_RADIUS + at * STEP,
      opacity: 0.42 - at * 0.027,
      dotAt: hasDot ? Math.PI * (0.6 + share * 0.3) : null,
    };
  });
}

/** A subtle pattern behind the banner: rings that spread from the upper right corner like a signal. */
function BrandPattern({ orgCode }: { orgCode: string }) {
  return (
    <chakra.svg
      aria-hidden
      viewBox="0 0 620 900"
      preserveAspectRatio="xMaxYMin slice"
      position="absolute"
      inset="0"
      w="full"
      h="full"
      color="brand.line"
      pointerEvents="none"
    >
      <g transform="translate(560 8)" fill="none" stroke="currentColor" strokeWidth="1.5">
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

/** The card's second column before a sign-in method is open: the organisation's banner on its colour. */
export function BrandPanel({ orgCode, settings }: { orgCode: string; settings?: OrgSettings | undefined }) {
  const { headline, rest } = splitBannerText(settings?.bannerText ?? '');
  const isLong = headline.length > 48;
  return (
    <>
      <BrandPattern orgCode={orgCode} />
      <Flex position="relative" direction="column" gap="3" mt="auto">
        {headline && (
          <Text
            fontSize={isLong ? '2xl' : '3xl'}
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
          <Text color="fg.muted" fontSize="lg" whiteSpace="pre-line" lineClamp={5} css={{ textWrap: 'pretty' }}>
            {rest}
          </Text>
        )}
      </Flex>
    </>
  );
}
