import { auditRepo } from '@orchestrate/db';
import type { AuditEvent } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { readPageKey } from '../../http/page-key.ts';
import { eventOf } from './event-of.ts';

const auditKey = z.object({ id: z.string().regex(/^\d{1,16}$/) });

/** One page of events. @throws Refusal INVALID_REQUEST for a key that none of our pages had */
export function pageOfEvents(
  { db }: Deps,
  caller: Caller,
  filter: auditRepo.AuditFilter,
  { pageSize, lastItem }: { pageSize: number; lastItem?: string | undefined },
): { Items: AuditEvent[]; LastEvaluatedKey: { id: string } | null } {
  const before = lastItem === undefined ? undefined : Number(readPageKey(auditKey, lastItem).id);
  const found = auditRepo.listEvents(db, caller.orgCode, filter, { count: pageSize + 1, before });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return { Items: page.map((row) => eventOf(row, caller)), LastEvaluatedKey: last ? { id: String(last.id) } : null };
}
