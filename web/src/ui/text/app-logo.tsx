import { Center, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { initialsOf } from '#lib/format/text.ts';

interface AppLogoProps {
  name: string;
  /** Logo URL, or null if the application has no logo. */
  logo: string | null;
  size?: 'sm' | 'lg';
}

const sizes = { sm: '6', lg: '12' };
const texts = { sm: '2xs', lg: 'md' };

/** An application's logo, or the initials of its name. Decorative, so render it next to the name. */
export function AppLogo({ name, logo, size = 'lg' }: AppLogoProps) {
  const [failed, setFailed] = useState<string>();
  const shape = { boxSize: sizes[size], borderRadius: size === 'lg' ? 'l2' : 'l1', flexShrink: '0' };
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
    <Center {...shape} aria-hidden bg="bg.muted" color="fg.muted" textStyle={texts[size]} fontWeight="semibold">
      {initialsOf(name)}
    </Center>
  );
}
