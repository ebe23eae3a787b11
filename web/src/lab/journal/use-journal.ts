import { type JournalEntry, type JournalKind, readJournal } from '@orchestrate/shared';
import { useState } from 'react';
import useSWR, { unstable_serialize, useSWRConfig } from 'swr';
import type { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { cacheKeyOf } from '../../lib/api/cache-key.ts';
import { call } from '../../lib/api/call.ts';
import { useRead } from '../../lib/api/use-read.ts';
import { useFollow } from '../lab-news.tsx';

interface Wanted {
  kind: JournalKind | undefined;
  /** This many of the newest. */
  limit: number;
}

/** The newest entries, oldest first; with news only those that are newer are read. */
export function useJournal(wanted: Wanted) {
  const key = cacheKeyOf(readJournal, { query: wanted });
  const { cache } = useSWRConfig();
  const { data, error, mutate } = useSWR<readonly JournalEntry[], ApiRefusal>(key, () => {
    const kept: readonly JournalEntry[] = cache.get(unstable_serialize(key))?.data ?? [];
    return readNewer(kept, wanted);
  });
  useFollow(key, { isOld: data !== undefined, isWrong: error?.status === 400 });
  return { entries: data, refusal: error, refetch: () => mutate() };
}

/** The entry with a number: also one that is no longer among those that are listed, as long as the journal has it. */
export function useEntry(listed: readonly JournalEntry[], seq: number): JournalEntry | undefined {
  const found = listed.find((entry) => entry.seq === seq);
  // Shown on while it is read again: an entry never changes.
  const [last, setLast] = useState<JournalEntry>();
  if (found && found !== last) setLast(found);
  const isElsewhere = found === undefined && seq > 0 && listed.length > 0;
  const { data } = useRead(readJournal, isElsewhere ? { query: { after: seq - 1, limit: 1 } } : null);
  if (!isElsewhere) return found;
  return (data?.entries ?? [last]).find((entry) => entry?.seq === seq);
}

/** @throws ApiRefusal */
async function readNewer(kept: readonly JournalEntry[], { kind, limit }: Wanted): Promise<readonly JournalEntry[]> {
  const newest = kept.at(-1);
  if (newest) {
    // Together with the newest that is there already: without it the journal was emptied meanwhile, or is another one.
    // That of a portal that was started again may have fewer, and refuses the number.
    const query = { after: newest.seq - 1, kind, limit };
    const { entries } = await call(readJournal, { query }).catch(() => ({ entries: [] }));
    const [same, ...newer] = entries;
    if (same?.seq === newest.seq && same.at === newest.at && entries.length < limit) {
      return newer.length > 0 ? [...kept, ...newer].slice(-limit) : kept;
    }
  }
  return (await call(readJournal, { query: { kind, limit } })).entries;
}
