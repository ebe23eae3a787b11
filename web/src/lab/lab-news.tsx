import { type EndpointDefinition, type InputOf, labLive } from '@orchestrate/shared';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react';
import { useSWRConfig } from 'swr';
import { type CacheKey, cacheKeyOf } from '../lib/api/cache-key.ts';
import { useLive } from '../lib/api/use-live.ts';
import { useRead } from '../lib/api/use-read.ts';
import { labToken } from '../lib/session/lab-token.ts';
import { createFollowing } from './following.ts';

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
