import { type OutboxMessage, readOutbox } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { ApiRefusal } from '../lib/api/api-refusal.ts';
import { call } from '../lib/api/call.ts';
import { useRead } from '../lib/api/use-read.ts';

/** A message that arrives between two reads appears with the second one at the latest. */
const WAIT_SECONDS = 10;
const RETRY_MS = 2_000;

interface Following {
  signal: AbortSignal;
  /** The newest message that is shown. */
  newest: string | undefined;
  onNews: () => void;
  onReachable: (isReachable: boolean) => void;
}

/** Waits for a newer message, reports it, and ends. */
async function follow({ signal, newest, onNews, onReachable }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      await call(readOutbox, { query: { after: newest, wait: WAIT_SECONDS } }, { signal });
      onReachable(true);
      return onNews();
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) return;
      // 404: nothing came. 400: the outbox was emptied, and with it the message after which we asked.
      onReachable(failure.status === 404 || failure.status === 400);
      if (failure.status === 400) return onNews();
      if (failure.status !== 404) await pause(RETRY_MS, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

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
  const [isReachable, setIsReachable] = useState(true);
  const isOpen = data !== undefined;
  const newest = data?.messages[0]?.id;

  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    void follow({
      signal: leaving.signal,
      newest,
      onNews: () => void refetch(),
      onReachable: setIsReachable,
    });
    return () => leaving.abort();
  }, [isOpen, newest, refetch]);

  return { messages: data?.messages, refusal: data ? undefined : refusal, isReconnecting: !isReachable, refetch };
}
