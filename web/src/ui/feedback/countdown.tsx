import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { formatCountdown } from '#lib/format/text.ts';
import type { Countdown } from '#lib/time/timers.ts';

const colourOf = (countdown: Countdown) => (countdown.isEnding ? 'warning.border' : 'brand.line');

/** A countdown such as `1:23` in tabular digits. It turns amber in the last ten seconds. */
export function CountdownText({ countdown }: { countdown: Countdown }) {
  return (
    <chakra.span role="timer" textStyle="code" color={countdown.isEnding ? 'warning.fg' : undefined}>
      {formatCountdown(countdown.secondsLeft)}
    </chakra.span>
  );
}

/** A ring around a code that empties clockwise. */
export function CountdownRing({ countdown, children }: { countdown: Countdown; children: ReactNode }) {
  const rect = { x: 0, y: 0, width: '100%', height: '100%', rx: 18, fill: 'none', strokeWidth: 4 };
  return (
    <Box position="relative" display="inline-flex" p="3.5">
      <chakra.svg
        aria-hidden
        position="absolute"
        inset="0.5"
        w="calc(100% - 4px)"
        h="calc(100% - 4px)"
        overflow="visible"
      >
        <chakra.rect {...rect} stroke="bg.emphasized" />
        <chakra.rect
          {...rect}
          pathLength={100}
          strokeDasharray="100"
          strokeDashoffset={100 * (1 - countdown.fraction)}
          stroke={colourOf(countdown)}
          strokeLinecap="round"
          opacity={countdown.isExpired ? 0 : 1}
          transition="stroke-dashoffset 400ms linear, stroke 180ms"
        />
      </chakra.svg>
      {children}
    </Box>
  );
}

/** A thin countdown bar under a code that users type. */
export function CountdownBar({ countdown }: { countdown: Countdown }) {
  return (
    <Box aria-hidden h="1" w="full" borderRadius="full" bg="bg.emphasized" overflow="hidden">
      <Box
        h="full"
        borderRadius="full"
        bg={colourOf(countdown)}
        transformOrigin="left"
        transition="transform 400ms linear, background-color 180ms"
        style={{ transform: `scaleX(${countdown.fraction})` }}
      />
    </Box>
  );
}
