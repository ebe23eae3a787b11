import { chakra } from '@chakra-ui/react';
import { Check, Minus } from 'lucide-react';
import { Hint } from './hint.tsx';

interface TickProps {
  isOn: boolean;
  /** What the tick, or its absence, means; also its name. */
  meaning: string;
}

/** Yes or no in a column of a table; pointer and keyboard can reach its meaning. */
export function Tick({ isOn, meaning }: TickProps) {
  const Icon = isOn ? Check : Minus;
  return (
    <Hint text={meaning}>
      <chakra.span
        role="img"
        aria-label={meaning}
        tabIndex={0}
        colorPalette={isOn ? 'success' : 'neutral'}
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
