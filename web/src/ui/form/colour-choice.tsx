import { chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { brandShades, DEFAULT_BRAND } from '@orchestrate/shared';
import { Check, Pipette } from 'lucide-react';

const SWATCHES = [
  [t`Yellow`, DEFAULT_BRAND],
  [t`Navy`, '#1E3A8A'],
  [t`Teal`, '#0F766E'],
  [t`Crimson`, '#BE123C'],
  [t`Violet`, '#7C3AED'],
  [t`Orange`, '#EA580C'],
] as const;

interface ColourChoiceProps {
  /** Colour as `#rrggbb`. */
  value: string;
  onChange: (value: string) => void;
}

const dot = {
  position: 'relative',
  display: 'grid',
  placeItems: 'center',
  boxSize: '10',
  borderRadius: 'full',
  cursor: 'pointer',
  borderWidth: '1px',
  borderColor: 'border.emphasized',
  // Opts out of forced colours, which would hide the colours to choose from.
  forcedColorAdjust: 'none',
  _focusWithin: { outline: '2px solid {colors.fg}', outlineOffset: '2px' },
} as const;

/** Preset colours, and a picker for any other colour. */
export function ColourChoice({ value, onChange }: ColourChoiceProps) {
  const isOther = !SWATCHES.some(([, colour]) => colour === value);
  return (
    <chakra.fieldset>
      <chakra.legend textStyle="sm" fontWeight="medium" mb="2.5">
        {t`Custom colour`}
      </chakra.legend>
      <Flex gap="2.5" wrap="wrap">
        {SWATCHES.map(([name, colour]) => (
          <chakra.label key={name} {...dot} style={{ backgroundColor: colour }} title={name}>
            <chakra.input
              type="radio"
              name="colour"
              aria-label={name}
              checked={value === colour}
              onChange={() => onChange(colour)}
              position="absolute"
              inset="0"
              opacity="0"
              cursor="pointer"
            />
            {value === colour && <Check size={18} strokeWidth={3} color={brandShades(colour).contrast} aria-hidden />}
          </chakra.label>
        ))}
        <chakra.label
          {...dot}
          bg="bg.panel"
          title={t`Choose another colour`}
          style={isOther ? { backgroundColor: value } : {}}
        >
          <chakra.input
            type="color"
            aria-label={t`Choose another colour`}
            value={value.toLowerCase()}
            onChange={(event) => onChange(event.target.value.toUpperCase())}
            position="absolute"
            inset="0"
            boxSize="full"
            opacity="0"
            cursor="pointer"
          />
          <Pipette size={17} aria-hidden {...(isOther && { color: brandShades(value).contrast })} />
        </chakra.label>
      </Flex>
    </chakra.fieldset>
  );
}
