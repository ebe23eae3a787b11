import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { HOUR, LIMITS } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { portalNow } from '../../../lib/time/portal-time.ts';
import { formatRemaining } from './activation-state.ts';

interface TimeLeftProps {
  /** ISO 8601. */
  until: string;
  /** Called when the time has come, by the portal's clock. */
  onOver: () => void;
}

/** How long something is still valid by the portal's clock, amber in its last hour. */
export function TimeLeft({ until, onOver }: TimeLeftProps) {
  const [time, setTime] = useState(portalNow);
  const left = Date.parse(until) - time;
  const isOver = left <= 0;

  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setTime(portalNow()), LIMITS.countdownTickMs);
    return () => clearInterval(timer);
  }, [isOver]);

  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);

  return (
    <chakra.span role="timer" whiteSpace="nowrap" color={left < HOUR ? 'warning.fg' : undefined}>
      {t`${formatRemaining(left)} left`}
    </chakra.span>
  );
}
