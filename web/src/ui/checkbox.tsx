import { chakra } from '@chakra-ui/react';
import { Hint } from './hint.tsx';

interface CheckboxProps {
  label: string;
  isChecked: boolean;
  /** For a checkbox that stands for several, only some of which are checked. */
  isMixed?: boolean;
  /** Why it cannot be changed. It stays reachable so that everybody can read it. */
  obstacle?: string | undefined;
  isStrong?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** The browser's own checkbox with a clickable label. */
export function Checkbox({ label, isChecked, isMixed = false, obstacle, isStrong = false, onChange }: CheckboxProps) {
  return (
    <chakra.label
      display="inline-flex"
      alignItems="flex-start"
      gap="2.5"
      py="1"
      cursor={obstacle ? 'not-allowed' : 'pointer'}
      color={obstacle ? 'fg.muted' : undefined}
      fontWeight={isStrong ? 'semibold' : undefined}
    >
      <Hint text={obstacle} placement="right">
        <chakra.input
          type="checkbox"
          checked={isChecked}
          ref={(input: HTMLInputElement | null) => {
            if (input) input.indeterminate = isMixed;
          }}
          aria-disabled={obstacle ? true : undefined}
          onChange={() => {
            if (!obstacle) onChange(!isChecked);
          }}
          boxSize="4"
          mt="0.5"
          flexShrink="0"
          accentColor="{colors.success.solid}"
          opacity={obstacle ? 0.6 : 1}
          cursor="inherit"
          borderRadius="xs"
          outline="0"
          focusVisibleRing="outside"
        />
      </Hint>
      {label}
    </chakra.label>
  );
}
