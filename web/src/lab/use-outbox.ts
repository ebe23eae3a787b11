import { type OutboxMessage, type ReplyOf, readOutbox } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { ApiRefusal } from '../lib/api/api-refusal.ts';
import { call } from '../lib/api/call.ts';
import { useRead } from '../lib/api/use-read.ts';

/** A message that arrives between two reads appears with the second one at the latest. */
const WAIT_SECONDS = 10;
const RETRY_MS = 2_000;

interface Following {
  signal: AbortSignal;
  onMessages: (reply: ReplyOf<typeof readOutbox>) => void;
  onReachable: (isReachable: boolean) => void;
}

/** Polls for new messages until the signal aborts. */
async function follow({ signal, onMessages, onReachable }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      const reply = await call(readOutbox, { query: { wait: WAIT_SECONDS } }, { signal });
      onReachable(true);
      onMessages(reply);
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) return;
      onReachable(false);
      await pause(RETRY_MS, signal);
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
  const { data, refusal, refetch, mutate } = useRead(readOutbox, { query: {} });
  const [isReachable, setIsReachable] = useState(true);
  const isOpen = data !== undefined;

  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    void follow({
      signal: leaving.signal,
      onMessages: (reply) => void mutate(reply, { revalidate: false }),
      onReachable: setIsReachable,
    });
    return () => leaving.abort();
  }, [isOpen, mutate]);

  return { messages: data?.messages, refusal: data ? undefined : refusal, isReconnecting: !isReachable, refetch };
}
