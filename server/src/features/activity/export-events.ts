import type { auditRepo } from '@orchestrate/db';
import { type AuditEvent, CSV_START, csvLine } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { eventOf } from './event-of.ts';
import { searchBack } from './search-back.ts';

/** Events read, and sent, at a time: other requests get their turn in between. */
const PORTION = 500;

const COLUMNS = [
  ...['id', 'at', 'action', 'actorKind', 'actorSuid', 'actorName', 'signedInBy', 'address'],
  ...['objectType', 'objectId', 'objectName', 'suid', 'changes'],
];

export type ExportFormat = 'csv' | 'ndjson';

/**
 * Events as the lines of a file, newest first, in portions: a million of them take no more memory than a few hundred.
 */
export function* exportEvents(
  deps: Deps,
  caller: Caller,
  filter: auditRepo.AuditFilter,
  format: ExportFormat,
): Generator<string> {
  const lineOf = format === 'csv' ? csvLineOf : (event: AuditEvent) => `${JSON.stringify(event)}\n`;
  if (format === 'csv') yield `${CSV_START}${csvLine(COLUMNS)}`;
  let before: number | undefined;
  let missing: number;
  do {
    missing = PORTION;
    for (const rows of searchBack(deps, caller.orgCode, filter, { count: PORTION, before })) {
      missing -= rows.length;
      before = rows.at(-1)?.id ?? before;
      // '' if nothing was found: other requests still get their turn.
      yield rows.map((row) => lineOf(eventOf(row, caller))).join('');
    }
  } while (missing === 0);
}

function csvLineOf({ id, at, action, actor, object, suid, changes }: AuditEvent): string {
  const { kind, name, mode, ip } = actor;
  return csvLine([
    ...[id, at, action, kind, actor.suid ?? '', name, mode, ip],
    ...[object.type, object.id, object.name, suid ?? '', changes.length > 0 ? JSON.stringify(changes) : ''],
  ]);
}
