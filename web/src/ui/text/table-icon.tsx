import { Center, chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { Hint } from '../feedback/hint.tsx';

interface BooleanIconProps {
  isOn: boolean;
  /** Accessible name and hint. */
  meaning: string;
}

interface TableIconProps extends HTMLChakraProps<'span'> {
  /** Accessible name and hint. */
  meaning: string;
}

/** An icon in a table cell, with a hint for pointer and keyboard users. */
export function TableIcon({ meaning, ...props }: TableIconProps) {
  return (
    <Hint text={meaning}>
      <chakra.span
        role="img"
        aria-label={meaning}
        tabIndex={0}
        borderRadius="xs"
        outline="0"
        focusVisibleRing="outside"
        {...props}
      />
    </Hint>
  );
}

/** A yes or no icon in a table cell. */
export function BooleanIcon({ isOn, meaning }: BooleanIconProps) {
  return (
    <TableIcon meaning={meaning} display="inline-flex" borderRadius="full">
      <BooleanMark isOn={isOn} />
    </TableIcon>
  );
}

/** Only a yes has a background, so that it stands out in a column. */
function BooleanMark({ isOn }: { isOn: boolean }) {
  return (
    <Center
      as="span"
      aria-hidden
      boxSize="6"
      borderRadius="full"
      bg={isOn ? 'success.subtle' : undefined}
      color={isOn ? 'success.fg' : 'fg.subtle'}
      // The dash of missing values. It isn't text, because the icon has a name.
      _before={isOn ? undefined : { content: '"–"' }}
    >
      {isOn && <Check size={14} />}
    </Center>
  );
}
