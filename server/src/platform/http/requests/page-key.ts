import type { z } from 'zod';
import { Refusal } from '../../refusal.ts';
import { readBoundedJson } from './bounded-json.ts';

/**
 * The last row of the previous page.
 * @param lastItem a previous answer's `LastEvaluatedKey`, as JSON.
 * @throws Refusal INVALID_REQUEST where it is not a valid key
 */
export function readPageKey<Schema extends z.ZodType>(schema: Schema, lastItem: string): z.output<Schema> {
  const parsed = schema.safeParse(readBoundedJson(lastItem));
  if (parsed.success) return parsed.data;
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'lastItem', message: 'This is not the key of an earlier page' }],
  });
}
