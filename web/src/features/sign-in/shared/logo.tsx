import { chakra } from '@chakra-ui/react';
import { useState } from 'react';

/**
 * The organisation's logo; nothing where it has none or it cannot be loaded (the letter mark is in the brand panel).
 */
export function Logo({ src, name }: { src: string | null; name: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (!src || hasFailed) return null;
  return (
    <chakra.img
      src={src}
      alt={name}
      // Dark logos stay visible on a dark page.
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
