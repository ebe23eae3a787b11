import { Center, chakra, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { initialOf } from '#lib/format/text.ts';

/** The organisation's logo. Renders nothing if there is no logo or it can't be loaded. */
export function Logo({ src, name, fallback = null }: { src: string | null; name: string; fallback?: ReactNode }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (!src || hasFailed) return fallback;
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

interface OrganisationMarkProps {
  logo: string | null;
  name: string;
  /** Text below the mark. If it contains the name, the name isn't repeated next to the mark. */
  title: string;
}

/** The organisation's logo, or its initial on a tile of the same height. */
export function OrganisationMark({ logo, name, title }: OrganisationMarkProps) {
  return (
    <Logo
      key={logo}
      src={logo}
      name={name}
      fallback={
        <Flex align="center" gap="3" minW="0" h="12">
          <Center
            aria-hidden
            boxSize="12"
            flexShrink="0"
            borderRadius="l3"
            bg="brand.solid"
            color="brand.contrast"
            fontWeight="bold"
            fontSize="xl"
            _highContrast={{ borderWidth: '1px' }}
          >
            {initialOf(name)}
          </Center>
          {!title.includes(name) && (
            <Text fontWeight="semibold" fontSize="lg" truncate>
              {name}
            </Text>
          )}
        </Flex>
      }
    />
  );
}
