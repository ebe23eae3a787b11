import { chakra, Flex, Text } from '@chakra-ui/react';
import { useId } from 'react';

interface NumberChoicesProps {
  label: string;
  choices: readonly string[];
  value: string | null;
  onChange: (value: string) => void;
}

/** The numbers, one of which the browser shows: real radio buttons, drawn as large keys. */
export function NumberChoices({ label, choices, value, onChange }: NumberChoicesProps) {
  const id = useId();
  return (
    <Flex direction="column" gap="3.5" align="center">
      <Text id={id} color="fg.muted">
        {label}
      </Text>
      <Flex role="radiogroup" aria-labelledby={id} gap="3">
        {choices.map((choice) => (
          <chakra.label
            key={choice}
            position="relative"
            display="flex"
            alignItems="center"
            justifyContent="center"
            w="22"
            minW="20"
            h="18"
            minH="16"
            borderRadius="xl"
            textStyle="code"
            fontSize="2xl"
            fontWeight="bold"
            transition="background-color 120ms"
            bg={choice === value ? 'brand.solid' : 'bg.muted'}
            color={choice === value ? 'brand.contrast' : 'fg'}
            _hover={choice === value ? {} : { bg: 'bg.emphasized' }}
            css={{ '&:has(:focus-visible)': { outline: '2px solid {colors.brand.line}', outlineOffset: '3px' } }}
          >
            <chakra.input
              type="radio"
              name={id}
              value={choice}
              checked={choice === value}
              onChange={() => onChange(choice)}
              position="absolute"
              inset="0"
              opacity="0"
              cursor="pointer"
            />
            {choice}
          </chakra.label>
        ))}
      </Flex>
    </Flex>
  );
}
