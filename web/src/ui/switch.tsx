import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useId } from 'react';
import { SwitchTrack } from './switch-track.tsx';

/** What is decided elsewhere, whatever this switch says. */
export interface Ruling {
  isOn: boolean;
  /** Who decided, as a sentence. */
  reason: string;
}

export interface SwitchProps {
  label: string;
  /** What it means, below the label. */
  help?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  ruling?: Ruling | undefined;
}

/** On or off, with the whole line clickable. Where something else rules, it shows that and stays readable. */
export function Switch({ label, help, isOn, onChange, ruling }: SwitchProps) {
  const id = useId();
  const shown = ruling?.isOn ?? isOn;
  const described = [help && `${id}-help`, ruling && `${id}-ruling`].filter(Boolean).join(' ');
  return (
    <chakra.button
      type="button"
      role="switch"
      aria-checked={shown}
      aria-disabled={ruling ? true : undefined}
      aria-labelledby={`${id}-label`}
      aria-describedby={described || undefined}
      onClick={() => !ruling && onChange(!isOn)}
      display="flex"
      alignItems="flex-start"
      gap="3"
      w="full"
      textAlign="start"
      borderRadius="l1"
      cursor={ruling ? 'not-allowed' : 'pointer'}
      outline="0"
      focusVisibleRing="outside"
    >
      <Box mt="0.5" opacity={ruling ? 0.5 : undefined}>
        <SwitchTrack isOn={shown} />
      </Box>
      <Flex direction="column">
        <Text id={`${id}-label`} fontWeight="medium">
          {label}
        </Text>
        {help && (
          <Text id={`${id}-help`} textStyle="sm" color="fg.muted">
            {help}
          </Text>
        )}
        {ruling && (
          <Text id={`${id}-ruling`} textStyle="sm" fontWeight="medium" color="warning.fg">
            {ruling.reason}
          </Text>
        )}
      </Flex>
    </chakra.button>
  );
}
