import { chakra } from '@chakra-ui/react';
import { Ban, Check, Minus } from 'lucide-react';
import { Hint } from './hint.tsx';

interface TickProps {
  isOn: boolean;
  /** What the tick, or its absence, means; also its name. */
  meaning: string;
  /** Whether it is decided elsewhere, for more than this row. */
  isRuled?: boolean;
}

/** Yes or no in a column of a table; pointer and keyboard can reach its meaning. */
export function Tick({ isOn, meaning, isRuled = false }: TickProps) {
  const Icon = isOn ? Check : isRuled ? Ban : Minus;
  return (
    <Hint text={meaning}>
      <chakra.span
        role="img"
        aria-label={meaning}
        tabIndex={0}
        colorPalette={isRuled ? 'warning' : isOn ? 'success' : 'neutral'}
        display="inline-flex"
        alignItems="center"
        justifyContent="center"
        boxSize="6"
        borderRadius="full"
        bg="colorPalette.subtle"
        color="colorPalette.fg"
        outline="0"
        focusVisibleRing="outside"
      >
        <Icon size={14} aria-hidden />
      </chakra.span>
    </Hint>
  );
}
