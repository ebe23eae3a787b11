import { isDeepStrictEqual } from 'node:util';
import { auditRepo, outboundMarkRepo, outboundTargetRepo, type Tx, webhookRepo } from '@orchestrate/db';
import { AUDIT_CHANGED, type AuditAction, type AuditValue } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { isoOf } from '#platform/times.ts';

/** A change to queue for webhooks and provisioning. */
interface Change {
  orgCode: string;
  action: AuditAction;
  /** ID of the affected member. */
  suid: string | null;
  objectId: string;
}

/** Actions that can affect any number of members, so all members are queued. */
const CONCERN_MANY: readonly AuditAction[] = [
  'members.invited',
  'lab.person-made',
  'group.deleted',
  'role.updated',
  'role.deleted',
  'scim-schema.updated',
  'scim-schema.deleted',
];
const CONCERN_ONE: readonly AuditAction[] = [
  'email.changed',
  'email.verified',
  'group.member-added',
  'group.member-removed',
];
const CONCERN_GROUP: readonly AuditAction[] = [
  'group.created',
  'group.updated',
  'group.member-added',
  'group.member-removed',
];

/**
 * Queues affected members and groups for outbound provisioning (decision 183) and wakes the sender after the commit.
 * A queued member without changes causes no request.
 */
function queuePeople(
  { clock, bus }: Pick<Deps, 'clock'> & Partial<Pick<Deps, 'bus'>>,
  tx: Tx,
  { orgCode, action, suid, objectId }: Change,
): void {
  const concernsOne = suid !== null && (action.startsWith('member.') || CONCERN_ONE.includes(action));
  const concernsMany = CONCERN_MANY.includes(action);
  const isAccess = action === 'application.updated';
  const concernsGroup = CONCERN_GROUP.includes(action);
  if (!concernsOne && !concernsMany && !concernsGroup && !isAccess) return;
  const targets = outboundTargetRepo.listActiveTargets(tx, orgCode);
  const concerned = isAccess ? targets.filter(({ appId }) => appId === objectId) : targets;
  if (concerned.length === 0) return;
  const now = clock.now();
  for (const target of concerned) {
    if (concernsMany || isAccess) outboundMarkRepo.markAll(tx, target, { now });
    if (concernsOne) outboundMarkRepo.markPerson(tx, target, suid, now);
    if (concernsGroup && target.sendGroups) outboundMarkRepo.markGroup(tx, target, objectId, now);
    // Deleting a member also ends their group memberships, so queue the groups too.
    if (action === 'member.deleted' && target.sendGroups && suid !== null)
      outboundMarkRepo.markGroupsOfMember(tx, target, suid, now);
  }
  tx.afterCommit(() => bus?.changed(TOPIC.provisioning));
}

/** Queues an event for every webhook subscribed to it, and wakes the sender after the commit. */
function queueEvent(
  { clock, bus }: Pick<Deps, 'clock'> & Partial<Pick<Deps, 'bus'>>,
  tx: Tx,
  event: auditRepo.AuditRow,
): void {
  const { orgCode, action: type } = event;
  const wanting = webhookRepo.listSubscribedWebhookIds(tx, orgCode, type);
  if (wanting.length === 0) return;
  const now = clock.now();
  const payload = payloadOf(event);
  for (const webhookId of wanting) {
    // The ID is the same for every attempt, but different for each webhook.
    const id = `evt_${event.id}_${webhookId}`;
    webhookRepo.insertDelivery(tx, { id, orgCode, webhookId, type, payload, createdAt: now, nextAttemptAt: now });
  }
  tx.afterCommit(() => bus?.changed(TOPIC.webhooks));
}

/**
 * Maximum payload size, in bytes (Standard Webhooks 1.0.0, "Payload size": smaller than 20 kB). For a larger event,
 * the payload contains only the field names. Their values are in the trail.
 */
const PAYLOAD_MAX_BYTES = 20_000;

/** Returns an event's payload, structured according to Standard Webhooks 1.0.0: `type`, `timestamp`, `data`. */
export function payloadOf(event: auditRepo.AuditRow): string {
  const { id, orgCode, at, action: type, suid, changes } = event;
  const actor = { kind: event.actorKind, suid: event.actorSuid, name: event.actorName, mode: event.actorMode };
  const object = { type: event.objectType, id: event.objectId, name: event.objectName };
  const data = { id: String(id), orgCode, actor: { ...actor, ip: event.ip }, object, suid, changes };
  const whole = JSON.stringify({ type, timestamp: isoOf(at), data });
  if (Buffer.byteLength(whole) <= PAYLOAD_MAX_BYTES) return whole;
  const fields = changes.map(({ field }) => ({ field }));
  return JSON.stringify({ type, timestamp: isoOf(at), data: { ...data, changes: fields, isShortened: true } });
}

/** The object of an audit event. `type` is the part of the action before the dot. */
export interface AuditObject<Type extends string = string> {
  type: Type;
  id: string;
  /** Display name, e.g. a full name. */
  name: string;
  /** ID of the affected member if the member isn't the object itself, e.g. the owner of a device or session. */
  suid?: string | undefined;
}

type TypeOf<Action extends string> = Action extends `${infer Type}.${string}` ? Type : never;

/** Fields with their values. Absent and `undefined` fields are left out. */
export type AuditFacts = Readonly<Record<string, AuditValue | undefined>>;

export interface AuditEntry<Action extends AuditAction = AuditAction> {
  action: Action;
  object: AuditObject<TypeOf<Action>>;
  /** Fields before the change. Absent if the change created the object. Unchanged fields are dropped. */
  before?: AuditFacts;
  /** Fields after the change. Absent if the change deleted the object. `AUDIT_CHANGED` replaces secrets. */
  after?: AuditFacts;
}

/** Maximum length of a recorded value, in characters. Longer values are truncated. */
const VALUE_MAX_LENGTH = 1_000;
const NAME_MAX_LENGTH = 200;

/**
 * Records a change in the same transaction. Writes nothing if `before` and `after` are both present and equal.
 * @returns the event's ID, or undefined if nothing was written
 */
export function record<const Action extends AuditAction>(
  deps: Pick<Deps, 'clock'> & Partial<Pick<Deps, 'bus'>>,
  tx: Tx,
  actor: AuditActor,
  { action, object, before, after }: AuditEntry<Action>,
): number | undefined {
  actor.recorded.push(action);
  const suid = object.suid ?? (object.type === 'member' ? object.id : null);
  queuePeople(deps, tx, { orgCode: actor.orgCode, action, suid, objectId: object.id });
  const changes = changesOf(before, after);
  if (before && after && changes.length === 0) return undefined;
  if (actor.orgCode === '') throw new Error(`Cannot record ${action}: expected an actor with an orgCode, got ''.`);
  const event = {
    orgCode: actor.orgCode,
    at: deps.clock.now(),
    action,
    actorKind: actor.kind,
    actorSuid: actor.suid,
    actorName: cut(actor.name, NAME_MAX_LENGTH),
    actorMode: actor.mode,
    actorSid: actor.sid,
    ip: actor.ip,
    objectType: object.type,
    objectId: object.id,
    objectName: cut(object.name, NAME_MAX_LENGTH),
    suid,
    changes,
  };
  const id = auditRepo.insertEvent(tx, event);
  actor.onEvent?.(event, { ...(before && { before }), ...(after && { after }) });
  queueEvent(deps, tx, { id, ...event });
  return id;
}

function changesOf(before: AuditFacts = {}, after: AuditFacts = {}): auditRepo.AuditRow['changes'] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => changeOf(field, before[field], after[field]));
}

function changeOf(field: string, before: AuditValue | undefined, after: AuditValue | undefined) {
  const isSecret = SECRET.test(field) && [before, after].some((value) => typeof value === 'string');
  if (!isSecret) return { field, ...valued('before', before), ...valued('after', after) };
  return after === undefined ? { field, before: AUDIT_CHANGED } : { field, after: AUDIT_CHANGED };
}

/**
 * Fields whose values are dropped in case they are passed by accident. Numbers are kept, because a token lifetime
 * isn't secret.
 */
const SECRET = /secret$|password|privateKey|token$/i;

function valued(name: 'before' | 'after', value: AuditValue | undefined) {
  return value === undefined ? {} : { [name]: typeof value === 'string' ? cut(value, VALUE_MAX_LENGTH) : value };
}

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
