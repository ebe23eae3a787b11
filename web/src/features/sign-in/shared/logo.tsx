import { chakra } from '@chakra-ui/react';
import { useState } from 'react';

/**
 * The organisation's logo. Renders nothing if there is no logo or it can't be loaded, because the brand panel has a
 * letter mark.
 */
export function Logo({ src, name }: { src: string | null; name: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (!src || hasFailed) return null;
  return (
    <chakra.img
      src={src}
      alt={name}
      // Keeps dark logos visible on a dark page.
      bg={{ _dark: 'white' }}
      p={{ _dark: '2' }}
      borderRadius={{ _dark: 'l2' }}
      h="12"
      maxW="52"
      objectFit="contain"
      objectPosition="left"
      alignSelf="flex-start"
      onError={() => setHasFailed(true)}
    />
  );
}
