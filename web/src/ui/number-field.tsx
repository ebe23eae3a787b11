import { Box, Input } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { FormField } from './form-field.tsx';

interface NumberFieldProps extends Omit<ComponentProps<'input'>, 'size' | 'width' | 'height' | 'color' | 'type'> {
  label: string;
  help?: string;
  error?: string | undefined;
  isRequired?: boolean;
  /** Stands at the end of the field, e.g. 'minutes'. */
  unit?: string;
}

/** A whole number with its unit. Takes what `register(name, { valueAsNumber: true })` gives; empty is NaN. */
export function NumberField({ label, help, error, isRequired, unit, min = 0, ...input }: NumberFieldProps) {
  return (
    <FormField label={label} error={error} {...(help && { help })} {...(isRequired && { isRequired })}>
      <Box position="relative">
        <Input asChild pe={unit ? '20' : undefined}>
          <input
            {...input}
            type="number"
            inputMode="numeric"
            min={min}
            step={1}
            autoComplete="off"
            // Turning the wheel over a field that has the focus would change its number unseen.
            onWheel={(event) => event.currentTarget.blur()}
          />
        </Input>
        {unit && (
          <Box
            position="absolute"
            insetEnd="9"
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
