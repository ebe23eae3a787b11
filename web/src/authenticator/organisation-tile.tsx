import { Center } from '@chakra-ui/react';
import { initialOf } from '#lib/format/text.ts';

interface OrganisationTileProps {
  name: string;
  size?: 'md' | 'lg';
  /** True on a card filled with the organisation's colour. */
  isInverted?: boolean;
}

/** Displays the organisation's initial in its colour. Purely decorative, so render it next to the name. */
export function OrganisationTile({ name, size = 'md', isInverted = false }: OrganisationTileProps) {
  return (
    <Center
      aria-hidden
      boxSize={size === 'lg' ? '11' : '9'}
      borderRadius="10px"
      flexShrink="0"
      bg={isInverted ? 'brand.contrast' : 'brand.solid'}
      color={isInverted ? 'brand.solid' : 'brand.contrast'}
      textStyle={size === 'lg' ? 'xl' : 'lg'}
      fontWeight="bold"
    >
      {initialOf(name)}
    </Center>
  );
}
