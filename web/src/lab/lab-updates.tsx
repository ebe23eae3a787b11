import { type EndpointDefinition, type InputOf, labLive, readClock } from '@orchestrate/shared';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { type CacheKey, cacheKeyOf } from '#lib/api/cache.ts';
import { call } from '#lib/api/call.ts';
import { useLive } from '#lib/api/use-live.ts';
import { useRead } from '#lib/api/use-read.ts';
import { labToken } from '#lib/session/browser-state.ts';

interface Followed<Key> {
  key: Key;
  /** Number of components that display the data. */
  users: number;
  isReading: boolean;
  /** True if an event has arrived since the current reload started. */
  isStale: boolean;
}

/**
 * Creates a registry of reads that are repeated on every event. Each read has at most one request in flight and is
 * repeated once more if an event arrives meanwhile, so a page keeps up with any event rate and never discards a
 * response.
 */
function createReloader<Key>(read: (key: Key) => Promise<unknown>) {
  const shown = new Map<string, Followed<Key>>();

  async function readAgain(followed: Followed<Key>): Promise<void> {
    followed.isStale = true;
    if (followed.isReading) return;
    followed.isReading = true;
    while (followed.isStale && followed.users > 0) {
      followed.isStale = false;
      // Ignore errors here, because the component that reads the key displays them.
      await read(followed.key).catch(() => undefined);
    }
    followed.isReading = false;
  }

  return {
    /** Reloads all followed keys. */
    reloadAll(): void {
      for (const followed of shown.values()) void readAgain(followed);
    },
    /**
     * Reloads a key on every event until the returned function is called.
     * @param isOld true to reload immediately, because the data was loaded earlier
     */
    add(id: string, key: Key, isOld: boolean): () => void {
      const followed = shown.get(id) ?? { key, users: 0, isReading: false, isStale: false };
      shown.set(id, followed);
      followed.users += 1;
      if (followed.users === 1 && isOld) void readAgain(followed);
      return () => {
        followed.users -= 1;
        if (followed.users === 0 && shown.get(id) === followed) shown.delete(id);
      };
    },
  };
}

interface Updates {
  isReconnecting: boolean;
  /** Reloads a key on every event until the returned function is called. Reloads immediately if `isOld` is true. */
  follow: (key: CacheKey, isOld: boolean) => () => void;
}

const UpdatesContext = createContext<Updates>({ isReconnecting: false, follow: () => () => undefined });

/** Follows the portal's events over a single connection for the whole page. */
export function LabUpdates({ children }: { children: ReactNode }) {
  const { message, connection } = useLive(labLive, {}, labToken);
  const { mutate } = useSWRConfig();
  const [reloader] = useState(() => createReloader((key: CacheKey) => mutate([...key])));
  useEffect(() => {
    if (message) reloader.reloadAll();
  }, [message, reloader]);
  const follow = useCallback<Updates['follow']>(
    (key, isOld) => reloader.add(JSON.stringify(key), key, isOld),
    [reloader],
  );
  return <UpdatesContext value={{ isReconnecting: connection === 'reconnecting', follow }}>{children}</UpdatesContext>;
}

export const useLabUpdates = (): Pick<Updates, 'isReconnecting'> => useContext(UpdatesContext);

/**
 * Reloads a cache key on every event.
 * @param isOld true if the data was loaded earlier and must be reloaded immediately
 * @param isWrong true if the request is invalid and would be refused again
 */
export function useReloadOnEvents(
  key: CacheKey | null,
  { isOld, isWrong }: { isOld: boolean; isWrong: boolean },
): void {
  const { follow } = useContext(UpdatesContext);
  const serialized = JSON.stringify(key);
  const begin = useEffectEvent((followed: CacheKey | null) => followed && follow(followed, isOld));
  useEffect(() => (isWrong ? undefined : (begin(JSON.parse(serialized)) ?? undefined)), [serialized, isWrong]);
}

/** Like `useRead`, but reloads on every event. */
export function useLiveRead<E extends EndpointDefinition>(entry: E, input: InputOf<E> | null) {
  const read = useRead(entry, input);
  useReloadOnEvents(input && cacheKeyOf(entry, input), {
    isOld: read.data !== undefined,
    isWrong: read.refusal?.status === 400,
  });
  return read;
}

/** Returns true if the portal no longer responds because it was stopped or the space has ended. */
export function useIsPortalGone(): boolean {
  const { isReconnecting } = useLabUpdates();
  const { error } = useSWR(isReconnecting ? 'portal still there' : null, () => call(readClock, {}), {
    refreshInterval: 2_000,
    shouldRetryOnError: false,
  });
  return isReconnecting && error instanceof ApiRefusal && error.status === 0;
}
