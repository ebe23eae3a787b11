import { auditRepo, type Tx } from '@orchestrate/db';
import type { ChangedBy, VersionedThing } from '@orchestrate/shared';
import { isoOf } from '../iso-of.ts';

/** An event that leaves another version behind, among all that happen to a thing. */
const EDITS = /\.(created|updated|renewed|changed)$/;

/** So many events are looked through: what a thing went through since its last edit is seldom more. */
const LOOKED_AT = 20;

/** Who changed a thing last, and when, as far as the audit trail knows. @param id absent for what there is one of */
export function lastChangeOf(
  tx: Tx,
  orgCode: string,
  { type, id }: { type: VersionedThing; id: string | undefined },
): { changedBy: ChangedBy | null; changedAt: string | null } {
  const events = auditRepo.listEvents(tx, orgCode, { objectType: type, objectId: id }, { count: LOOKED_AT });
  const last = events.find(({ action }) => EDITS.test(action));
  if (!last) return { changedBy: null, changedAt: null };
  const { actorName, actorSuid, at } = last;
  return { changedBy: { name: actorName, suid: actorSuid ?? '' }, changedAt: isoOf(at) };
}
