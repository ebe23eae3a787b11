import { Box, Input, type InputProps } from '@chakra-ui/react';
import { FormField } from './form-field.tsx';

interface NumberFieldProps extends Omit<InputProps, 'type'> {
  label: string;
  help?: string;
  error?: string | undefined;
  isRequired?: boolean;
  /** Shown at the end of the field, e.g. 'minutes'. */
  unit?: string;
}

/** A whole number with its unit. Takes what `register(name, { valueAsNumber: true })` gives; empty is NaN. */
export function NumberField({ label, help, error, isRequired, unit, min = 0, ...input }: NumberFieldProps) {
  return (
    <FormField label={label} error={error} {...(help && { help })} {...(isRequired && { isRequired })}>
      <Box position="relative">
        <Input
          {...input}
          type="number"
          inputMode="numeric"
          min={min}
          step={1}
          autoComplete="off"
          // The unit is to the right of the arrows that browsers draw.
          pe={unit ? '20' : undefined}
          // Turning the wheel over a focused field would change its number unnoticed.
          onWheel={(event) => event.currentTarget.blur()}
        />
        {unit && (
          <Box
            position="absolute"
            insetEnd="3"
            top="50%"
            translate="0 -50%"
            pointerEvents="none"
            color="fg.muted"
            textStyle="sm"
          >
            {unit}
          </Box>
        )}
      </Box>
    </FormField>
  );
}
