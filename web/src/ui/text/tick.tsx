import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { Ban, Check, Minus } from 'lucide-react';
import { Hint } from '../feedback/hint.tsx';

interface TickProps {
  isOn: boolean;
  /** What the tick, or its absence, means; also its name. */
  meaning: string;
  /** Whether it is decided elsewhere, for more than this row. */
  isRuled?: boolean;
}

interface SignProps extends HTMLChakraProps<'span'> {
  /** Also its name. */
  meaning: string;
}

/** A sign in a column of a table; pointer and keyboard can reach its meaning. */
export function Sign({ meaning, ...props }: SignProps) {
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

/** Yes or no in a column of a table. */
export function Tick({ isOn, meaning, isRuled = false }: TickProps) {
  const Icon = isOn ? Check : isRuled ? Ban : Minus;
  return (
    <Sign
      meaning={meaning}
      colorPalette={isRuled ? 'warning' : isOn ? 'success' : 'neutral'}
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      boxSize="6"
      borderRadius="full"
      bg="colorPalette.subtle"
      color="colorPalette.fg"
    >
      <Icon size={14} aria-hidden />
    </Sign>
  );
}
