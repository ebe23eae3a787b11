import { id, time } from '@orchestrate/shared';
import { z } from 'zod';
import { readPageKey } from '../../platform/http/requests/page-key.ts';

const loginHistoryKey = z.object({ timestamp: time, id });

/** The record after which the next page begins; its time in milliseconds. @throws Refusal as `readPageKey` */
export function readLoginHistoryKey(lastItem: string): { timestamp: number; id: string } {
  const { timestamp, id } = readPageKey(loginHistoryKey, lastItem);
  return { timestamp: Date.parse(timestamp), id };
}
