import { chakra } from '@chakra-ui/react';

interface Ring {
  radius: number;
  opacity: number;
  /** Where a dot travels on the ring, in radians; null for a ring without one. */
  dotAt: number | null;
}

const RINGS = 13;
const FIRST_RADIUS = 84;
const STEP = 58;

// FNV-1a: gives very different values for codes that differ in one letter, and is the same in every browser.
function hashOf(text: string): number {
  return [...text].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0,
    2_166_136_261,
  );
}

/** The rings of an organisation's pattern: always the same for one code, and different for every other code. */
function ringsOf(orgCode: string): Ring[] {
  const hash = hashOf(orgCode);
  return Array.from({ length: RINGS }, (_, at) => {
    // Dots stay on the upper left part of the outer rings: visible, and clear of the banner text.
    const hasDot = at > 5 && ((hash >>> at) & 1) === 0;
    const share = ((hash >>> (at * 2)) & 255) / 255;
    return {
      radius: FIRST_RADIUS + at * STEP,
      opacity: 0.24 - at * 0.0155,
      dotAt: hasDot ? Math.PI * (1.28 + share * 0.2) : null,
    };
  });
}

/** A quiet drawing behind the brand panel: rings that spread from a corner, like a signal. */
export function BrandPattern({ orgCode }: { orgCode: string }) {
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
