import { chakra } from '@chakra-ui/react';
import { Check, Minus } from 'lucide-react';
import { Hint } from '../../ui/hint.tsx';

/** Whether something is on, as a tick whose hint says what it is about. */
export function Tick({ label, isOn }: { label: string; isOn: boolean }) {
  const text = `${label} ${isOn ? 'enabled' : 'disabled'}`;
  return (
    <Hint text={text}>
      <chakra.button
        type="button"
        aria-label={text}
        display="inline-flex"
        p="1"
        borderRadius="full"
        outline="0"
        focusVisibleRing="outside"
        cursor="inherit"
        bg={isOn ? 'success.subtle' : 'bg.muted'}
        color={isOn ? 'success.fg' : 'fg.subtle'}
      >
        {isOn ? <Check size={14} aria-hidden /> : <Minus size={14} aria-hidden />}
      </chakra.button>
    </Hint>
  );
}
