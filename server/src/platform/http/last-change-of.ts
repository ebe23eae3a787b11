import { auditRepo, type Tx } from '@orchestrate/db';
import type { ChangedBy, VersionedThing } from '@orchestrate/shared';
import { isoOf } from '../iso-of.ts';

/** The actions that lead to a new version, among everything that happens to a thing. */
const EDITS = /\.(created|updated|renewed|changed)$/;

/** The same of the configuration, which has parts. */
const CONFIGURES =
  /^(branding|session-settings|security|role|mail-text|mail-language|application|portal-app)\.(created|updated|deleted)$/;

/** How many events are searched: a thing rarely has more since its last edit. */
const LOOKED_AT = 20;

/**
 * Who changed a thing last, and when, as far as the audit trail knows. @param id absent where an organisation has only
 * one
 */
export function lastChangeOf(
  tx: Tx,
  orgCode: string,
  { type, id }: { type: VersionedThing; id: string | undefined },
): { changedBy: ChangedBy | null; changedAt: string | null } {
  const isWhole = type === 'configuration';
  const filter = isWhole ? {} : { objectType: type, objectId: id };
  const events = auditRepo.listEvents(tx, orgCode, filter, { count: LOOKED_AT });
  const last = events.find(({ action }) => (isWhole ? CONFIGURES : EDITS).test(action));
  if (!last) return { changedBy: null, changedAt: null };
  const { actorName, actorSuid, at } = last;
  return { changedBy: { name: actorName, suid: actorSuid ?? '' }, changedAt: isoOf(at) };
}
