import { Text } from '@chakra-ui/react';

interface ListCountProps {
  /** How many there are in all; undefined before they have been read. */
  of: number | string | undefined;
}

/** How many a list has, beside its title; before it has been read it claims nothing. */
export const ListCount = ({ of }: ListCountProps) => (
  <Text role="status" textStyle="sm" color="fg.muted">
    {of}
  </Text>
);
