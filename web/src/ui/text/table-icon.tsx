import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { Ban, Check, Minus } from 'lucide-react';
import { Hint } from '../feedback/hint.tsx';

interface BooleanIconProps {
  isOn: boolean;
  /** Accessible name and hint. */
  meaning: string;
  /** True if another setting overrides the row's own setting. */
  isOverridden?: boolean;
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
export function BooleanIcon({ isOn, meaning, isOverridden = false }: BooleanIconProps) {
  const Icon = isOn ? Check : isOverridden ? Ban : Minus;
  return (
    <TableIcon
      meaning={meaning}
      colorPalette={isOverridden ? 'warning' : isOn ? 'success' : 'neutral'}
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      boxSize="6"
      borderRadius="full"
      bg="colorPalette.subtle"
      color="colorPalette.fg"
    >
      <Icon size={14} aria-hidden />
    </TableIcon>
  );
}
