import { Text } from '@chakra-ui/react';

/** The visible name of an input that carries its own for assistive technology. */
export function FieldName({ id, children }: { id?: string; children: string }) {
  return (
    <Text {...(id ? { id } : { 'aria-hidden': true })} textStyle="sm" fontWeight="medium">
      {children}
    </Text>
  );
}
