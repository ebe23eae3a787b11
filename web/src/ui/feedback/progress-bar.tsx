import { Box } from '@chakra-ui/react';

interface ProgressBarProps {
  label: string;
  /** Current value. While it is undefined, the progress is unknown and the whole bar pulses. */
  value: number | undefined;
  max: number;
}

/** A progress bar for a long-running operation. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  const part = value === undefined || max === 0 ? 1 : value / max;
  return (
    <Box
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      h="2"
      borderRadius="full"
      bg="bg.emphasized"
      overflow="hidden"
    >
      <Box
        h="full"
        borderRadius="full"
        bg="brand.line"
        transformOrigin="left"
        transition="transform 400ms linear"
        animation={value === undefined ? 'pulse' : undefined}
        style={{ transform: `scaleX(${part})` }}
      />
    </Box>
  );
}
