import type { z } from 'zod';
import { Refusal } from '../../refusal.ts';
import { readBoundedJson } from './bounded-json.ts';

/**
 * Parses the page key that identifies the last row of the previous page.
 * @param lastItem `LastEvaluatedKey` of a previous response, as JSON
 * @throws Refusal INVALID_REQUEST if it is invalid
 */
export function readPageKey<Schema extends z.ZodType>(schema: Schema, lastItem: string): z.output<Schema> {
  const parsed = schema.safeParse(readBoundedJson(lastItem));
  if (parsed.success) return parsed.data;
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'lastItem', message: 'This is not the LastEvaluatedKey of a previous page' }],
  });
}
