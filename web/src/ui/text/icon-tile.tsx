import { Center } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface IconTileProps {
  tone?: 'muted' | 'brand' | 'danger';
  children: ReactNode;
}

const colours = {
  muted: { bg: 'bg.muted', color: 'fg.muted' },
  brand: { bg: 'brand.subtle', color: 'brand.fg' },
  danger: { bg: 'danger.subtle', color: 'danger.fg' },
} as const;

/** A tile behind a row's icon. */
export function IconTile({ tone = 'muted', children }: IconTileProps) {
  return (
    <Center boxSize="9" borderRadius="l2" flexShrink="0" {...colours[tone]}>
      {children}
    </Center>
  );
}
