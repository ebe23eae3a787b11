import { LIMITS, SECOND } from '@orchestrate/shared';
import { useEffect, useState } from 'react';

/**
 * Takes a result away by itself after 6 s (spec 1 §4), unless it is held: while somebody points at it or works in it the
 * seconds stand still.
 * @returns whole seconds that are left.
 */
export function useResultReset(isHeld: boolean, onReset: () => void): number {
  const [left, setLeft] = useState(LIMITS.inviteResultResetMs / SECOND);
  useEffect(() => {
    if (isHeld) return;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), SECOND);
    return () => clearInterval(timer);
  }, [isHeld]);
  useEffect(() => {
    if (left <= 0) onReset();
  }, [left, onReset]);
  return left;
}
