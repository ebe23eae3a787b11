import { type EndpointDefinition, type InputOf, labLive } from '@orchestrate/shared';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react';
import { useSWRConfig } from 'swr';
import { type CacheKey, cacheKeyOf } from '#lib/api/cache.ts';
import { useLive } from '#lib/api/use-live.ts';
import { useRead } from '#lib/api/use-read.ts';
import { labToken } from '#lib/session/browser-state.ts';

interface Followed<Key> {
  key: Key;
  /** How many parts of the page show it. */
  users: number;
  isReading: boolean;
  /** Something has happened since the present reading began. */
  isStale: boolean;
}

/**
 * What is read again when something has happened: at once, without a timer. Each is read once at a time, and once more
 * where something happened meanwhile. So a page follows as fast as it can read, however fast things happen, and no
 * answer is thrown away for the next one.
 */
function createFollowing<Key>(read: (key: Key) => Promise<unknown>) {
  const shown = new Map<string, Followed<Key>>();

  async function readAgain(followed: Followed<Key>): Promise<void> {
    followed.isStale = true;
    if (followed.isReading) return;
    followed.isReading = true;
    while (followed.isStale && followed.users > 0) {
      followed.isStale = false;
      // What went wrong is shown where it is read.
      await read(followed.key).catch(() => undefined);
    }
    followed.isReading = false;
  }

  return {
    /** Something has happened. */
    tell(): void {
      for (const followed of shown.values()) void readAgain(followed);
    },
    /**
     * Follows what is read by `key`, which `id` stands for; returns a function that stops it.
     * @param isOld whether what is shown was read before it was followed: it is read again
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

interface News {
  isReconnecting: boolean;
  /** Reads again with all news, until the function that it returns is called; at once where it `isOld`. */
  follow: (key: CacheKey, isOld: boolean) => () => void;
}

const NewsContext = createContext<News>({ isReconnecting: false, follow: () => () => undefined });

/** Follows what happens in the portal, over one connection for the whole page. */
export function LabNews({ children }: { children: ReactNode }) {
  const { message, connection } = useLive(labLive, {}, labToken);
  const { mutate } = useSWRConfig();
  const [following] = useState(() => createFollowing((key: CacheKey) => mutate([...key])));
  useEffect(() => {
    if (message) following.tell();
  }, [message, following]);
  const follow = useCallback<News['follow']>(
    (key, isOld) => following.add(JSON.stringify(key), key, isOld),
    [following],
  );
  return <NewsContext value={{ isReconnecting: connection === 'reconnecting', follow }}>{children}</NewsContext>;
}

export const useLabNews = (): Pick<News, 'isReconnecting'> => useContext(NewsContext);

/**
 * Has what is shown under this key of the cache read again whenever something has happened.
 * @param isOld what it shows then was read before; @param isWrong what was asked for is refused, and stays so
 */
export function useFollow(key: CacheKey | null, { isOld, isWrong }: { isOld: boolean; isWrong: boolean }): void {
  const { follow } = useContext(NewsContext);
  const asked = JSON.stringify(key);
  const begin = useEffectEvent((followed: CacheKey | null) => followed && follow(followed, isOld));
  useEffect(() => (isWrong ? undefined : (begin(JSON.parse(asked)) ?? undefined)), [asked, isWrong]);
}

/** `useRead` that reads again whenever something has happened. */
export function useFollowed<E extends EndpointDefinition>(entry: E, input: InputOf<E> | null) {
  const read = useRead(entry, input);
  useFollow(input && cacheKeyOf(entry, input), {
    isOld: read.data !== undefined,
    isWrong: read.refusal?.status === 400,
  });
  return read;
}
