import { Center } from '@chakra-ui/react';
import { initialsOf } from '#lib/format/text.ts';

interface InitialsAvatarProps {
  name: string;
  size?: 'xs' | 'sm' | 'md' | 'lg';
  /** True for members who can't sign in. */
  isGrey?: boolean;
}

const sizes = { xs: '7', sm: '8', md: '10', lg: '14' };
const texts = { xs: 'xs', sm: 'xs', md: 'md', lg: 'xl' };

/** Hues in degrees of oklch, far enough apart to tell people in a list from each other. */
export const AVATAR_HUES = [15, 50, 85, 130, 165, 215, 255, 295, 340] as const;

/** Lightness and chroma of circle and letters. The lightness alone decides the contrast, whatever the hue. */
export const AVATAR_COLOURS = {
  light: { circle: [0.93, 0.045], letters: [0.42, 0.11] },
  dark: { circle: [0.33, 0.055], letters: [0.88, 0.085] },
} as const;

const colourOf = ([lightness, chroma]: readonly [number, number]) => `oklch(${lightness} ${chroma} var(--hue))`;

/**
 * Returns the hue for a name, which is the same on every screen and in every browser. Two names can share one; the
 * factor was chosen so that the demo's applications don't.
 */
export function avatarHueOf(name: string): number {
  let hash = 0;
  for (const character of name.trim()) hash = (hash * 53 + (character.codePointAt(0) ?? 0)) % 65_521;
  return AVATAR_HUES[hash % AVATAR_HUES.length] ?? AVATAR_HUES[0];
}

/** Returns the colours of a name's initials. */
export function initialsTint(name: string) {
  const { light, dark } = AVATAR_COLOURS;
  return {
    css: { '--hue': `${avatarHueOf(name)}` },
    bg: { base: colourOf(light.circle), _dark: colourOf(dark.circle) },
    color: { base: colourOf(light.letters), _dark: colourOf(dark.letters) },
  };
}

/** The initials of a name's first two words in a coloured circle. Decorative, so render it next to the name. */
export function InitialsAvatar({ name, size = 'sm', isGrey = false }: InitialsAvatarProps) {
  return (
    <Center
      aria-hidden
      boxSize={sizes[size]}
      borderRadius="full"
      {...(isGrey ? { bg: 'bg.muted', color: 'fg.subtle' } : initialsTint(name))}
      textStyle={texts[size]}
      fontWeight="semibold"
      flexShrink="0"
      _highContrast={{ borderWidth: '1px' }}
    >
      {initialsOf(name)}
    </Center>
  );
}
