import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useId } from 'react';

interface SwitchProps {
  label: string;
  /** What it means, below the label. */
  help?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** On or off, with the whole line clickable. */
export function Switch({ label, help, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <chakra.button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-labelledby={`${id}-label`}
      aria-describedby={help ? `${id}-help` : undefined}
      onClick={() => onChange(!isOn)}
      display="flex"
      alignItems="flex-start"
      gap="3"
      w="full"
      textAlign="start"
      borderRadius="l1"
      cursor="pointer"
      outline="0"
      focusVisibleRing="outside"
    >
      <Flex
        align="center"
        w="9"
        h="5"
        mt="0.5"
        p="0.5"
        flexShrink="0"
        borderRadius="full"
        bg={isOn ? 'success.solid' : 'border.emphasized'}
        transition="background-color 150ms"
      >
        <Box
          boxSize="4"
          borderRadius="full"
          bg="white"
          boxShadow="xs"
          transform={isOn ? 'translateX(1rem)' : undefined}
          transition="transform 150ms"
        />
      </Flex>
      <Flex direction="column">
        <Text id={`${id}-label`} fontWeight="medium">
          {label}
        </Text>
        {help && (
          <Text id={`${id}-help`} textStyle="sm" color="fg.muted">
            {help}
          </Text>
        )}
      </Flex>
    </chakra.button>
  );
}
