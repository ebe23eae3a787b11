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
  /** Reads an endpoint again with all news, until the function that it returns is called; at once where it `isOld`. */
  follow: (entry: EndpointDefinition, input: unknown, isOld: boolean) => () => void;
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
    (entry, input, isOld) => {
      const key = cacheKeyOf(entry, input);
      return following.add(JSON.stringify(key), key, isOld);
    },
    [following],
  );
  return <NewsContext value={{ isReconnecting: connection === 'reconnecting', follow }}>{children}</NewsContext>;
}

export const useLabNews = (): Pick<News, 'isReconnecting'> => useContext(NewsContext);

/** `useRead` that reads again whenever something has happened. A request that is wrong here stays wrong. */
export function useFollowed<E extends EndpointDefinition>(entry: E, input: InputOf<E>) {
  const { follow } = useContext(NewsContext);
  const read = useRead(entry, input);
  const isWrong = read.refusal?.status === 400;
  const begin = useEffectEvent((asked: string) => follow(entry, JSON.parse(asked), read.data !== undefined));
  const asked = JSON.stringify(input);
  useEffect(() => (isWrong ? undefined : begin(asked)), [asked, isWrong]);
  return read;
}
