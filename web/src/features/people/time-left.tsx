import { chakra } from '@chakra-ui/react';
import { HOUR, SECOND } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { portalNow } from '../../lib/portal-time.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { formatRemaining } from './activation-state.ts';

interface TimeLeftProps {
  /** ISO 8601. Another one needs another `key`. */
  until: string;
  /** The time has come, by the portal's clock. */
  onOver: () => void;
}

const AMBER_SECONDS = HOUR / SECOND;

/** How long something is still good, amber in its last hour. */
export function TimeLeft({ until, onOver }: TimeLeftProps) {
  const [seconds] = useState(() => Math.max(0, (Date.parse(until) - portalNow()) / SECOND));
  const { secondsLeft, isExpired } = useCountdown(seconds, until);
  useEffect(() => {
    if (isExpired) onOver();
  }, [isExpired, onOver]);
  return (
    <chakra.span role="timer" whiteSpace="nowrap" color={secondsLeft < AMBER_SECONDS ? 'warning.fg' : undefined}>
      {formatRemaining(secondsLeft)} left
    </chakra.span>
  );
}
