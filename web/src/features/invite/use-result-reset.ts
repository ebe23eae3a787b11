import { LIMITS, SECOND } from '@orchestrate/shared';
import { useEffect, useState } from 'react';

/**
 * Removes a result after 6 s (spec 1 §4). The countdown pauses while somebody points at the result or works in it.
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
