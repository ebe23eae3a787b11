import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useId } from 'react';

interface SwitchTrackProps {
  isOn: boolean;
  size?: 'sm' | 'md';
  isDimmed?: boolean;
}

const sizes = {
  sm: { track: { w: '8', h: '4.5' }, thumb: '3.5', way: '0.875rem' },
  md: { track: { w: '9', h: '5' }, thumb: '4', way: '1rem' },
} as const;

/** The track and thumb of a switch, without a label. In forced-colors mode, the system's colours replace ours. */
export function SwitchTrack({ isOn, size = 'md', isDimmed = false }: SwitchTrackProps) {
  const { track, thumb, way: travel } = sizes[size];
  return (
    <Flex
      {...track}
      align="center"
      p="0.5"
      flexShrink="0"
      borderRadius="full"
      bg={isOn ? 'success.solid' : 'border.emphasized'}
      opacity={isDimmed ? 0.45 : 1}
      transition="background-color 150ms"
      _highContrast={{
        forcedColorAdjust: 'none',
        bg: isOn ? 'Highlight' : 'Canvas',
        boxShadow: `0 0 0 1px ${isDimmed ? 'GrayText' : 'CanvasText'}`,
        opacity: 1,
      }}
    >
      <Box
        boxSize={thumb}
        borderRadius="full"
        bg="white"
        boxShadow="xs"
        transform={isOn ? { base: `translateX(${travel})`, _rtl: `translateX(-${travel})` } : undefined}
        transition="transform 150ms"
        _highContrast={{ bg: isOn ? 'HighlightText' : isDimmed ? 'GrayText' : 'CanvasText', boxShadow: 'none' }}
      />
    </Flex>
  );
}

/** Another setting, or a role, that overrides the switch. */
export interface Override {
  isOn: boolean;
  /** Sentence that identifies the overriding setting or role. */
  reason: string;
}

export interface SwitchProps {
  label: string;
  /** Help below the label. */
  help?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  ruling?: Override | undefined;
}

/** A switch whose whole line is clickable. If the switch is overridden, it shows the effective value and the reason. */
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
          <Text id={`${id}-help`} textStyle="sm" color="fg.muted" maxW="72ch" textWrap="pretty">
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
