import { Box, Flex } from '@chakra-ui/react';

interface SwitchTrackProps {
  isOn: boolean;
  size?: 'sm' | 'md';
  isDimmed?: boolean;
}

const sizes = {
  sm: { track: { w: '8', h: '4.5' }, thumb: '3.5', way: '0.875rem' },
  md: { track: { w: '9', h: '5' }, thumb: '4', way: '1rem' },
} as const;

/** The drawing of a switch; its button says what it switches. Forced colours draw it with the system's own. */
export function SwitchTrack({ isOn, size = 'md', isDimmed = false }: SwitchTrackProps) {
  const { track, thumb, way } = sizes[size];
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
        transform={isOn ? { base: `translateX(${way})`, _rtl: `translateX(-${way})` } : undefined}
        transition="transform 150ms"
        _highContrast={{ bg: isOn ? 'HighlightText' : isDimmed ? 'GrayText' : 'CanvasText', boxShadow: 'none' }}
      />
    </Flex>
  );
}
