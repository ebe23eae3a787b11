import { Center, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { initialOf } from '#lib/format/text.ts';

interface BrandMarkProps {
  name: string;
  /** Logo URL. If it is missing or fails to load, the initial is shown. */
  logo?: string | null | undefined;
  size?: 'md' | 'lg';
  /** True on a background in the brand colour. */
  isInverted?: boolean;
}

/** An organisation's logo, or its initial on the brand colour. Decorative, so render it next to the name. */
export function BrandMark({ name, logo, size = 'md', isInverted = false }: BrandMarkProps) {
  const [failedLogo, setFailedLogo] = useState<string>();
  const box = size === 'md' ? '8' : '9';
  if (logo && logo !== failedLogo) {
    return (
      <chakra.img
        src={logo}
        alt=""
        // Keeps dark logos visible in dark mode.
        bg={{ _dark: 'white' }}
        p={{ _dark: '1' }}
        borderRadius={{ _dark: 'l1' }}
        h={box}
        maxW="24"
        objectFit="contain"
        onError={() => setFailedLogo(logo)}
      />
    );
  }
  return (
    <Center
      aria-hidden
      boxSize={box}
      borderRadius="l2"
      bg={isInverted ? 'brand.contrast' : 'brand.solid'}
      color={isInverted ? 'brand.solid' : 'brand.contrast'}
      fontWeight="bold"
      fontSize={size === 'md' ? 'md' : 'lg'}
      flexShrink="0"
    >
      {initialOf(name)}
    </Center>
  );
}
