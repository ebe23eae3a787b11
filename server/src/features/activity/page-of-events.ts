import type { auditRepo } from '@orchestrate/db';
import type { AuditEvent } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { readPageKey } from '../../platform/http/requests/page-key.ts';
import { nextTurn } from '../../platform/retry-if-reset.ts';
import { eventOf } from './event-of.ts';
import { searchBack } from './search-back.ts';

const auditKey = z.object({ id: z.string().regex(/^\d{1,16}$/) });

/** One page of events. @throws Refusal INVALID_REQUEST for a key that none of our pages returned */
export async function pageOfEvents(
  deps: Deps,
  caller: Caller,
  filter: auditRepo.AuditFilter,
  { pageSize, lastItem }: { pageSize: number; lastItem?: string | undefined },
): Promise<{ Items: AuditEvent[]; LastEvaluatedKey: { id: string } | null }> {
  const before = lastItem === undefined ? undefined : Number(readPageKey(auditKey, lastItem).id);
  const found: auditRepo.AuditRow[] = [];
  for (const portion of searchBack(deps, caller.orgCode, filter, { count: pageSize + 1, before })) {
    found.push(...portion);
    if (found.length <= pageSize) await nextTurn(deps);
  }
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return { Items: page.map((row) => eventOf(row, caller)), LastEvaluatedKey: last ? { id: String(last.id) } : null };
}
