import { id, time } from '@orchestrate/shared';
import { z } from 'zod';
import { Refusal } from '../../http/refusal.ts';

const loginHistoryKey = z.object({ timestamp: time, id });

/**
 * The record after which the next page begins; its time in milliseconds.
 * @param lastItem a previous answer's `LastEvaluatedKey`, as JSON.
 * @throws Refusal INVALID_REQUEST
 */
export function readLoginHistoryKey(lastItem: string): { timestamp: number; id: string } {
  const parsed = loginHistoryKey.safeParse(jsonOf(lastItem));
  if (parsed.success) return { timestamp: Date.parse(parsed.data.timestamp), id: parsed.data.id };
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'lastItem', message: 'This is not the key of an earlier page' }],
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
