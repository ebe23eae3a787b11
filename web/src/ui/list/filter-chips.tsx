import { chakra, Flex } from '@chakra-ui/react';

interface FilterChipsProps<Value extends string> {
  /** Name of the filter, e.g. 'Status'. */
  label: string;
  /** Filter choices. The value `undefined` selects all items. */
  choices: readonly { value: Value | undefined; label: string; count?: string | undefined }[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

/** A list filter: a row of chips, of which one is selected. */
export function FilterChips<Value extends string>({ label, choices, value, onChange }: FilterChipsProps<Value>) {
  return (
    <Flex role="group" aria-label={label} gap="1.5" wrap="wrap">
      {choices.map((choice) => (
        <chakra.button
          key={choice.value ?? 'all'}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
          h="9"
          px="3.5"
          borderRadius="l2"
          borderWidth="1px"
          bg="bg.panel"
          fontWeight="medium"
          whiteSpace="nowrap"
          cursor="pointer"
          outline="0"
          focusVisibleRing="outside"
          transition="background-color 120ms, border-color 120ms"
          _hover={{ bg: 'bg.muted' }}
          _pressed={{ bg: 'brand.subtle', borderColor: 'brand.line' }}
        >
          {choice.label}
          {choice.count !== undefined && ' '}
          {choice.count !== undefined && (
            <chakra.span ps="0.5" color="fg.muted" fontVariantNumeric="tabular-nums">
              {choice.count}
            </chakra.span>
          )}
        </chakra.button>
      ))}
    </Flex>
  );
}
