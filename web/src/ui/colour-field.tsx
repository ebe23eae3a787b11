import { chakra, Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { parseHex } from '../lib/brand/brand-colour.ts';
import { FormField } from './form-field.tsx';

interface ColourFieldProps {
  label: string;
  help?: string;
  error?: string | undefined;
  /** As it was typed; `#rrggbb` where it is a valid colour. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** A colour, picked or typed as `#rrggbb`. */
export function ColourField({ label, help, error, value, onChange, onBlur }: ColourFieldProps) {
  return (
    <FormField label={label} isRequired error={error} {...(help && { help })}>
      <Flex gap="2" w="full">
        <chakra.input
          type="color"
          aria-label={t`Pick: ${label}`}
          value={(parseHex(value) ?? '#000000').toLowerCase()}
          onChange={(event) => onChange(event.target.value.toUpperCase())}
          w="12"
          h="10"
          p="1"
          flexShrink="0"
          borderWidth="1px"
          borderColor="border.emphasized"
          borderRadius="l2"
          bg="bg.panel"
          cursor="pointer"
          focusVisibleRing="outside"
        />
        <Input
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          fontFamily="mono"
        />
      </Flex>
    </FormField>
  );
}
