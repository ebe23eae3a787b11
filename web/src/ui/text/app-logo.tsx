import { Center, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { initialsOf } from '#lib/format/text.ts';
import { initialsTint } from './initials-avatar.tsx';

interface AppLogoProps {
  name: string;
  /** Logo URL, or null if the application has no logo. */
  logo: string | null;
  size?: 'sm' | 'md' | 'lg';
}

const sizes = { sm: '6', md: '8', lg: '12' };
const texts = { sm: '0.625rem', md: 'xs', lg: 'lg' };

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
      {...initialsTint(name)}
      aria-hidden
      fontSize={texts[size]}
      lineHeight="none"
      letterSpacing="tight"
      fontWeight="semibold"
    >
      {initialsOf(name)}
    </Center>
  );
}
