import { Center, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { initialsOf } from '#lib/format/text.ts';

interface AppLogoProps {
  name: string;
  /** Logo URL, or null if the application has no logo. */
  logo: string | null;
  size?: 'sm' | 'md' | 'lg';
}

const sizes = { sm: '6', md: '8', lg: '12' };
const texts = { sm: '0.625rem', md: 'xs', lg: 'lg' };

/** Hues of the initials' tints, in degrees of oklch. */
const HUES = [25, 60, 110, 155, 200, 250, 290, 340];

/** Returns the hue of a name, which is the same on every screen. */
const hueOf = (name: string) =>
  HUES[[...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % HUES.length];

/** An application's logo, or the initials of its name. Decorative, so render it next to the name. */
export function AppLogo({ name, logo, size = 'lg' }: AppLogoProps) {
  const [failed, setFailed] = useState<string>();
  const shape = { boxSize: sizes[size], borderRadius: size === 'sm' ? 'l1' : 'l2', flexShrink: '0' };
  if (logo && logo !== failed)
    return (
      <chakra.img
        {...shape}
        src={logo}
        alt=""
        objectFit="contain"
        bg={{ _dark: 'white' }}
        p={{ _dark: '1' }}
        onError={() => setFailed(logo)}
      />
    );
  return (
    <Center
      {...shape}
      aria-hidden
      css={{ '--hue': hueOf(name) }}
      bg={{ base: 'oklch(0.94 0.045 var(--hue))', _dark: 'oklch(0.32 0.06 var(--hue))' }}
      color={{ base: 'oklch(0.42 0.11 var(--hue))', _dark: 'oklch(0.88 0.07 var(--hue))' }}
      fontSize={texts[size]}
      lineHeight="none"
      letterSpacing="tight"
      fontWeight="semibold"
    >
      {initialsOf(name)}
    </Center>
  );
}
