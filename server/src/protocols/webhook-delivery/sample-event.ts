import type { AuditAction, WebhookEvent } from '@orchestrate/shared';
import { isoOf } from '#platform/times.ts';
import recorded from './recorded-events.json' with { type: 'json' };

/** Content of an event type's payload, in addition to the common fields. */
type RecordedEvent = Pick<WebhookEvent['data'], 'changes'> & {
  actor: WebhookEvent['data']['actor']['kind'];
  /** True if the event affects a member. */
  hasMember: boolean;
};

/**
 * An event of each type, recorded by every-write.test.ts (`pnpm generate`). Events that the portal creates on its own
 * have no changes here.
 */
const RECORDED: Partial<Record<string, RecordedEvent>> = recorded as Partial<Record<string, RecordedEvent>>;

const MEMBER = { id: 'sample-member', name: 'Ada Lovelace' };

/**
 * Returns a sample of an event type: the fields, actor and changes are those of a real event, IDs are made up.
 * @param at time of the event, in milliseconds since the epoch
 */
export function sampleEvent(type: AuditAction, { orgCode, at }: { orgCode: string; at: number }): WebhookEvent {
  const { actor = 'system', hasMember = false, changes = [] } = RECORDED[type] ?? {};
  const object = type.slice(0, type.indexOf('.')) as WebhookEvent['data']['object']['type'];
  const isByMember = actor === 'member';
  return {
    type,
    timestamp: isoOf(at),
    data: {
      id: '1',
      orgCode,
      actor: {
        kind: actor,
        suid: isByMember ? 'sample-administrator' : null,
        name: isByMember ? 'Grace Hopper' : actor,
        mode: isByMember ? 'QID' : null,
        ip: '203.0.113.7',
      },
      object: object === 'member' ? { type: object, ...MEMBER } : { type: object, id: 'sample', name: 'Sample' },
      suid: hasMember ? MEMBER.id : null,
      changes,
    },
  };
}
