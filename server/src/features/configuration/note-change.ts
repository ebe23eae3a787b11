import { isDeepStrictEqual } from 'node:util';
import type { auditRepo } from '@orchestrate/db';
import type { ConfigurationDifference } from '@orchestrate/shared';
import { shownChanges } from '../../core/audit/shown-changes.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';

export type Change = ConfigurationDifference['changes'][number];
type Facts = Parameters<NonNullable<AuditActor['onEvent']>>[1];

/** Ids of the parents of a question: each rehearsal draws new ones, and people never see them. */
const PARENTS: ReadonlySet<string> = new Set(['categoryId', 'subcategoryId']);

/** One entry for each thing, even if several events are recorded for it. */
export function noteChange(changes: Map<string, Change>, event: Omit<auditRepo.AuditRow, 'id'>, facts: Facts): void {
  const { action, objectType: type, objectId: id, objectName: name } = event;
  const key = JSON.stringify([type, id]);
  const known = changes.get(key);
  const fields = new Map((known?.changes ?? []).map((change) => [change.field, change]));
  const isNew = known?.action.endsWith('.created');
  for (const change of shownChanges(event.changes)) {
    if (PARENTS.has(change.field)) continue;
    const { field, before, after } = whereItDiffers(change, facts);
    const first = isNew ? undefined : (fields.get(field)?.before ?? before);
    if (isDeepStrictEqual(first, after)) fields.delete(field);
    else
      fields.set(field, {
        field,
        ...(first !== undefined && { before: first }),
        ...(after !== undefined && { after }),
      });
  }
  changes.set(key, { action: known?.action ?? action, object: { type, id, name }, changes: [...fields.values()] });
}

/** What ends as it began has not changed. */
export const isChange = ({ action, changes }: Change): boolean => action.endsWith('.created') || changes.length > 0;

/** How many characters people can compare, and how many are shown around the part that differs. */
const COMPARED_MAX = 300;
const AROUND = 60;

/**
 * A change of a long text, cut to the part that differs: in metadata that may be one address among thousands of
 * characters.
 */
function whereItDiffers(change: Change['changes'][number], { before = {}, after = {} }: Facts) {
  const { field } = change;
  const [old, now] = [before[field], after[field]];
  if (typeof old !== 'string' || typeof now !== 'string') return change;
  if (old.length <= COMPARED_MAX && now.length <= COMPARED_MAX) return change;
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < shorter - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const part = (text: string) => {
    const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, text.length - same + AROUND)];
    const cut = text.slice(from, Math.min(to, from + COMPARED_MAX));
    return `${from > 0 ? '…' : ''}${cut}${from + cut.length < text.length ? '…' : ''}`;
  };
  return { field, before: part(old), after: part(now) };
}
