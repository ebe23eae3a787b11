import { scimLogRepo } from '@orchestrate/db';
import type { contract, ReplyOf } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { isoOf } from '#platform/times.ts';

const pageKey = z.object({ id: z.string().regex(/^\d{1,15}$/) });

/**
 * Returns a page of an organisation's SCIM log.
 * @throws Refusal as `readPageKey`
 */
export function scimLogOf(
  { db }: Deps,
  orgCode: string,
  { count, lastItem }: { count: number; lastItem?: string | undefined },
): Omit<ReplyOf<typeof contract.getScimLog>, 'resultCode'> {
  const before = lastItem === undefined ? undefined : Number(readPageKey(pageKey, lastItem).id);
  const found = scimLogRepo.listScimLog(db, orgCode, { before, count: count + 1 });
  const page = found.slice(0, count);
  const last = found.length > count ? page.at(-1) : undefined;
  return {
    records: page.map(({ number, at, operation, userName, status, body, detail }) => ({
      id: String(number),
      at: isoOf(at),
      operation,
      userName,
      status,
      body,
      detail,
    })),
    LastEvaluatedKey: last ? { id: String(last.number) } : null,
  };
}
