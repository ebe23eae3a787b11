import { LIMITS } from '@orchestrate/shared';
import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Sends a nickname half a second after it was entered; of several within that time only the last. `waiting` is the one
 * still to be sent, or null. Leaving the page sends it immediately instead of losing it.
 */
export function useDelayedSave(save: (nickname: string) => void) {
  const [waiting, setWaiting] = useState<string | null>(null);
  const present = useRef<{ nickname: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const latestSave = useRef(save);

  useEffect(() => {
    latestSave.current = save;
  }, [save]);

  const flush = useCallback(() => {
    if (!present.current) return;
    const { nickname, timer } = present.current;
    clearTimeout(timer);
    present.current = null;
    setWaiting(null);
    latestSave.current(nickname);
  }, []);

  useEffect(() => flush, [flush]);

  const schedule = (nickname: string) => {
    if (present.current) clearTimeout(present.current.timer);
    present.current = { nickname, timer: setTimeout(flush, LIMITS.nicknameSaveDebounceMs) };
    setWaiting(nickname);
  };
  return { waiting, schedule };
}
