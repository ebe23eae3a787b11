import { Box, Flex, Input, type InputProps, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { FormField } from './form-field.tsx';

interface NumberFieldProps extends Omit<InputProps, 'type'> {
  label: string;
  help?: string;
  error?: string | undefined;
  isRequired?: boolean;
  /** Shown at the end of the field, e.g. 'minutes'. */
  unit?: string;
  /** The same amount in other words next to the field, e.g. '8 hours'. */
  equivalent?: string;
}

/**
 * A field for a whole number and its unit. Accepts the props of `register(name, { valueAsNumber: true })`; an empty
 * field is NaN. Input with other characters is rejected with a message, because browsers would silently drop them and
 * turn 10m into 10.
 */
export function NumberField({ label, help, error, isRequired, unit, equivalent, min = 0, ...input }: NumberFieldProps) {
  const [hasRefused, setHasRefused] = useState(false);
  const refuseLetters = (box: HTMLElement | null) => {
    const check = (event: InputEvent) => {
      const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
      const isRefused = !/^\s*-?\d*\s*$/.test(text);
      if (isRefused) event.preventDefault();
      setHasRefused(isRefused);
    };
    // React's `beforeinput` event doesn't report pasted text, so listen to the native event.
    box?.addEventListener('beforeinput', check);
    return () => box?.removeEventListener('beforeinput', check);
  };
  return (
    <FormField
      label={label}
      error={hasRefused ? t`Enter digits only` : error}
      {...(help && { help })}
      {...(isRequired && { isRequired })}
    >
      <Flex align="center" gap="3">
        <Box position="relative" w="full" maxW={unit && '44'} ref={refuseLetters}>
          <Input
            {...input}
            onBlur={(event) => {
              setHasRefused(false);
              input.onBlur?.(event);
            }}
            type="number"
            inputMode="numeric"
            min={min}
            step={1}
            autoComplete="off"
            // Leaves space for the unit next to the browser's arrows.
            pe={unit ? '20' : undefined}
            // Blur on scroll, or the scroll wheel would change a focused number unnoticed.
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
        {equivalent && (
          <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
            {equivalent}
          </Text>
        )}
      </Flex>
    </FormField>
  );
}
