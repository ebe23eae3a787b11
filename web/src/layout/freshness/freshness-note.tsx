import { Box } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { formatDateTime } from '#lib/format/dates.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';

/** A failed read of the visible screen that could succeed if retried. */
interface FailingRead {
  /** When the displayed data was loaded, in Unix milliseconds; undefined while no data is displayed. */
  readAt: number | undefined;
  again: () => void;
}

let failingReads: readonly FailingRead[] = [];
const listeners = new Set<() => void>();

function change(next: readonly FailingRead[]): void {
  failingReads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Adds a failing read and returns a function that removes it. Call that function once the read succeeds or its data
 * is no longer visible.
 */
export function addFailingRead(read: FailingRead): () => void {
  change([...failingReads, read]);
  return () => change(failingReads.filter((other) => other !== read));
}

const useFailingReads = () => useSyncExternalStore(subscribe, () => failingReads);

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 30_000;

/**
 * Shows how long the visible screen has been out of date and reloads it after 5 s, then at doubling intervals up to
 * 30 s, until it succeeds.
 */
export function FreshnessNote() {
  const failing = useFailingReads();
  const isFailing = failing.length > 0;
  const [tries, setTries] = useState(0);
  if (!isFailing && tries > 0) setTries(0);

  useEffect(() => {
    if (!isFailing) return;
    const readAgain = () => {
      for (const { again } of failing) again();
      setTries(tries + 1);
    };
    const timer = setTimeout(readAgain, Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS));
    return () => clearTimeout(timer);
  }, [isFailing, failing, tries]);

  const times = failing.flatMap(({ readAt }) => readAt ?? []);
  return (
    <Box role="status" mb={times.length > 0 ? '5' : undefined}>
      {times.length > 0 && (
        <AlertLine tone="warning">{t`Out of date since ${formatDateTime(Math.min(...times))} because the portal can't be reached. The page will update automatically.`}</AlertLine>
      )}
    </Box>
  );
}
