import { isDeepStrictEqual } from 'node:util';
import { auditRepo, type Tx } from '@orchestrate/db';
import { AUDIT_CHANGED, type AuditAction, type AuditValue } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { refuseEndedSession } from '../../platform/retry-if-reset.ts';
import { queueEvent } from './queue-event.ts';
import { queuePeople } from './queue-people.ts';

/** What a change was made to. Its type is the part of the action before the dot. */
export interface AuditObject<Type extends string = string> {
  type: Type;
  id: string;
  /** As people call it, e.g. a full name. */
  name: string;
  /** The member it concerns, where that is not the object itself: the owner of a device or a session. */
  suid?: string | undefined;
}

type TypeOf<Action extends string> = Action extends `${infer Type}.${string}` ? Type : never;

/** Fields with their values; absent and `undefined` ones are left out. */
export type AuditFacts = Readonly<Record<string, AuditValue | undefined>>;

export interface AuditEntry<Action extends AuditAction = AuditAction> {
  action: Action;
  object: AuditObject<TypeOf<Action>>;
  /**
   * Before the change; absent where the change created the thing. Whole objects may be given: only the differences are
   * kept.
   */
  before?: AuditFacts;
  /** After the change; absent where the change deleted the thing. Never a secret: `AUDIT_CHANGED` stands in for one. */
  after?: AuditFacts;
}

/** Limits the size of one event: longer texts are cut. */
const VALUE_MAX_LENGTH = 1_000;
const NAME_MAX_LENGTH = 200;

/**
 * Records a change, inside its transaction. If `before` and `after` are both given and equal, nothing is written.
 * @returns the event's id; undefined where nothing was written
 * @throws Refusal INVALID_SESSION where the lab has reset since a member called
 */
export function record<const Action extends AuditAction>(
  deps: Pick<Deps, 'clock'> & Partial<Pick<Deps, 'bus'>>,
  tx: Tx,
  actor: AuditActor,
  { action, object, before, after }: AuditEntry<Action>,
): number | undefined {
  actor.recorded.push(action);
  if (actor.wasReset?.()) refuseEndedSession();
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
 * Values passed under such a name by accident are left out. Numbers are kept: the lifetime of a token is not a secret.
 */
const SECRET = /secret$|password|privateKey|token$/i;

function valued(name: 'before' | 'after', value: AuditValue | undefined) {
  return value === undefined ? {} : { [name]: typeof value === 'string' ? cut(value, VALUE_MAX_LENGTH) : value };
}

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
