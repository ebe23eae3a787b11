import { labLive, type OutboxMessage, readOutbox } from '@orchestrate/shared';
import { useEffect } from 'react';
import type { ApiRefusal } from '../lib/api/api-refusal.ts';
import { useLive } from '../lib/api/use-live.ts';
import { useRead } from '../lib/api/use-read.ts';

export interface Outbox {
  /** Newest first; undefined until the lab has answered. */
  messages: readonly OutboxMessage[] | undefined;
  refusal: ApiRefusal | undefined;
  isReconnecting: boolean;
  refetch: () => Promise<unknown>;
}

/** The mails and text messages of the portal, updated live. */
export function useOutbox(): Outbox {
  const { data, refusal, refetch } = useRead(readOutbox, { query: {} });
  const { message, connection } = useLive(labLive, data ? {} : null);
  const last = message?.last;

  useEffect(() => {
    if (last !== undefined) void refetch();
  }, [last, refetch]);

  return {
    messages: data?.messages,
    refusal: data ? undefined : refusal,
    isReconnecting: connection === 'reconnecting',
    refetch,
  };
}
