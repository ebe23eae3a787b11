import { type EndpointDefinition, type InputOf, labLive } from '@orchestrate/shared';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { useLive } from '../lib/api/use-live.ts';
import { useRead } from '../lib/api/use-read.ts';
import { labToken } from '../lib/session/lab-token.ts';

interface News {
  /** The number of the last thing that happened; undefined until the portal has said. */
  last: number | undefined;
  isReconnecting: boolean;
}

const NewsContext = createContext<News>({ last: undefined, isReconnecting: false });

/** Follows what happens in the portal, over one connection for the whole page. */
export function LabNews({ children }: { children: ReactNode }) {
  const { message, connection } = useLive(labLive, {}, labToken);
  const news = { last: message?.last, isReconnecting: connection === 'reconnecting' };
  return <NewsContext value={news}>{children}</NewsContext>;
}

export const useLabNews = (): News => useContext(NewsContext);

/** `useRead` that reads again whenever something has happened. A request that is wrong here stays wrong. */
export function useFollowed<E extends EndpointDefinition>(entry: E, input: InputOf<E>) {
  const { last } = useLabNews();
  const read = useRead(entry, input);
  const { refetch, refusal } = read;
  const isWrong = refusal?.status === 400;
  useEffect(() => {
    if (last !== undefined && !isWrong) void refetch();
  }, [last, refetch, isWrong]);
  return read;
}
