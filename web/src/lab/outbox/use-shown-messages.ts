import { LIMITS, OUTBOX_MESSAGES_MAX, type OutboxMessage, readOutbox } from '@orchestrate/shared';
import { useRead } from '../../lib/api/use-read.ts';
import { useDebounced } from '../../lib/time/use-debounced.ts';
import { matchingMessages } from './matching-messages.ts';

/**
 * The messages whose address contains the text. If the outbox holds more than it returns at once, a complete address
 * also finds older messages.
 */
export function useShownMessages(newest: readonly OutboxMessage[], to: string) {
  const hasMore = newest.length >= OUTBOX_MESSAGES_MAX;
  const address = useDebounced(to.trim(), LIMITS.searchDebounceMs);
  const { data } = useRead(readOutbox, hasMore && address ? { query: { to: address } } : null);
  const found = matchingMessages(newest, to);
  const known = new Set(found.map(({ id }) => id));
  const older = matchingMessages(data?.messages ?? [], to).filter(({ id }) => !known.has(id));
  return { found: [...found, ...older], hasMore };
}
