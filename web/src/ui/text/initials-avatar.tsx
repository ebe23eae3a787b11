import { Center } from '@chakra-ui/react';
import { initialsOf } from '#lib/format/text.ts';

interface InitialsAvatarProps {
  name: string;
  size?: 'sm' | 'md' | 'lg';
  /** True for members who can't sign in. */
  isGrey?: boolean;
}

const sizes = { sm: '8', md: '10', lg: '14' };
const texts = { sm: 'xs', md: 'md', lg: 'xl' };

/** The initials of a name's first two words in a circle. Decorative, so render it next to the name. */
export function InitialsAvatar({ name, size = 'sm', isGrey = false }: InitialsAvatarProps) {
  return (
    <Center
      aria-hidden
      boxSize={sizes[size]}
      borderRadius="full"
      bg={isGrey ? 'bg.muted' : 'brand.subtle'}
      color={isGrey ? 'fg.subtle' : 'fg'}
      textStyle={texts[size]}
      fontWeight="semibold"
      flexShrink="0"
    >
      {initialsOf(name)}
    </Center>
  );
}
