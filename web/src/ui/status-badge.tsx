import { Box, chakra } from '@chakra-ui/react';

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

const tones: Record<string, Tone> = {
  active: 'success',
  success: 'success',
  paused: 'warning',
  expiring: 'warning',
  unverified: 'warning',
  failed: 'danger',
  lost: 'danger',
  expired: 'danger',
  locked: 'danger',
  pending: 'info',
  unregistered: 'info',
  invited: 'info',
  inactive: 'neutral',
  deleted: 'neutral',
};

interface StatusBadgeProps {
  /** The displayed word, e.g. 'Active'. Its lower case chooses the colour where no tone is given. */
  status: string;
  tone?: Tone;
}

/** A dot and a word, so that the meaning never depends on colour alone. */
export function StatusBadge({ status, tone = tones[status.toLowerCase()] ?? 'neutral' }: StatusBadgeProps) {
  return (
    <chakra.span
      colorPalette={tone}
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      h="6"
      px="2"
      borderRadius="l1"
      bg="colorPalette.subtle"
      color="colorPalette.fg"
      textStyle="xs"
      fontWeight="medium"
      whiteSpace="nowrap"
      flexShrink="0"
      _highContrast={{ borderWidth: '1px', borderColor: 'CanvasText' }}
    >
      <Box
        as="span"
        aria-hidden
        boxSize="1.5"
        borderRadius="full"
        bg="currentcolor"
        _highContrast={{ bg: 'CanvasText' }}
      />
      {status}
    </chakra.span>
  );
}
