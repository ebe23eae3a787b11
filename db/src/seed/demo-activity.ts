import {
  type AuditAction,
  type AuditObjectType,
  DAY,
  fullNameOf,
  HOUR,
  MINUTE,
  SECOND,
  SYSTEM_ROLES,
} from '@orchestrate/shared';
import { and, eq, gte } from '#drizzle';
import type { Db, Tx } from '../database.ts';
import { insertScimLog } from '../repos/provisioning/scim-log.ts';
import { insertScimToken } from '../repos/provisioning/scim-tokens.ts';
import { type AuditRow, insertEvent } from '../repos/settings/audit.ts';
import {
  claimDelivery,
  insertDelivery,
  insertWebhook,
  type NewDelivery,
  settleDelivery,
} from '../repos/settings/webhooks.ts';
import { activationCodes, clientSecrets, devices, faqRecords, members } from '../schema/index.ts';
import { ACME } from './organisations.ts';
import { Prng } from './prng.ts';
import { isWorkday, seedTime, startOfDay } from './seed-time.ts';

/** Length of the seeded activity, in days. The activity screen's chart shows as many. */
const DAYS = 14;

type Member = typeof members.$inferSelect;

interface Change {
  at: number;
  /** The member who made the change; null for the directory. */
  by: Member | null;
  action: AuditAction;
  object: { type: AuditObjectType; id: string; name: string; suid?: string };
  changes?: AuditRow['changes'];
}

/** Formats an event as a webhook's payload. */
type PayloadOf = (event: AuditRow) => string;

/**
 * Records how the demo's Acme came to be as it is: its new members, devices, codes and secrets of the last two weeks
 * at the times in their rows, and a few edits that end in the current settings. Adds a webhook with deliveries of these
 * changes, and the requests of the directory that made some of them.
 * @param now in milliseconds
 */
export function seedDemoActivity(db: Db, now: number, payloadOf: PayloadOf): void {
  const base = seedTime(now);
  const all = [...changesInRows(db, base), ...edits(db, base)].filter(({ at }) => at < base);
  db.transaction((tx) => {
    const events = all.toSorted((a, b) => a.at - b.at).map((change) => recordChange(tx, change));
    addDeliveries(tx, events, { base, payloadOf });
    addDirectoryRequests(tx, events, base);
  });
}

/** Records a change as an event. */
function recordChange(tx: Tx, { at, by, action, object, changes = [] }: Change): AuditRow {
  const { suid = object.type === 'member' ? object.id : null, ...named } = object;
  const event = {
    orgCode: ACME,
    at,
    action,
    actorKind: by ? ('member' as const) : ('directory' as const),
    actorSuid: by?.suid ?? null,
    actorName: by ? fullNameOf(by) : DIRECTORY,
    actorMode: by ? 'QID' : 'SCIM',
    actorSid: null,
    ip: by ? `203.0.113.${1 + new Prng(`address ${by.suid}`).below(40)}` : '203.0.113.80',
    objectType: named.type,
    objectId: named.id,
    objectName: named.name,
    suid,
    changes,
  };
  return { ...event, id: insertEvent(tx, event) };
}

/** How long the webhook has existed, in days. */
const WEBHOOK_DAYS = 6;
const WEBHOOK_EVENTS: AuditAction[] = ['member.created', 'activation-code.issued', 'device.registered'];

/**
 * Adds a webhook whose first test failed, and which has delivered its events of the last days since. It is disabled,
 * because a demo must not send anything from the machine.
 */
function addDeliveries(
  tx: Tx,
  events: readonly AuditRow[],
  { base, payloadOf }: { base: number; payloadOf: PayloadOf },
): void {
  const prng = new Prng(`webhook ${ACME}`);
  const id = prng.id();
  const createdAt = base - WEBHOOK_DAYS * DAY;
  insertWebhook(tx, {
    id,
    orgCode: ACME,
    url: 'https://hr.acme.test/webhooks/orchestrate',
    description: "Keeps the HR system's onboarding checklists up to date",
    enabled: false,
    events: WEBHOOK_EVENTS,
    secret: `whsec_${Buffer.from(`${prng.id()}${prng.id()}`, 'base64url').toString('base64')}`,
    createdAt,
  });
  const deliver = (delivery: Pick<NewDelivery, 'id' | 'type' | 'payload' | 'createdAt'>, responseStatus: number) => {
    const created = insertDelivery(tx, { ...delivery, orgCode: ACME, webhookId: id, nextAttemptAt: null });
    const claimed = claimDelivery(tx, created, { now: delivery.createdAt + SECOND, leaseMs: 0 }) ?? created;
    const isDelivered = responseStatus < 300;
    settleDelivery(tx, claimed, {
      status: isDelivered ? 'delivered' : 'failed',
      nextAttemptAt: null,
      responseStatus,
      responseBody: isDelivered ? '' : 'Unknown signature',
      durationMs: 40 + prng.below(160),
      error: '',
    });
  };
  const testedAt = createdAt + 2 * MINUTE;
  const type = 'webhook.test';
  const data = { orgCode: ACME, webhookId: id };
  const payload = JSON.stringify({ type, timestamp: new Date(testedAt).toISOString(), data });
  deliver({ id: `test_${prng.id()}`, type, payload, createdAt: testedAt }, 401);
  for (const event of events) {
    const { id: eventId, action: type, at } = event;
    if (at < createdAt || !WEBHOOK_EVENTS.includes(type)) continue;
    deliver({ id: `evt_${eventId}_${id}`, type, payload: payloadOf(event), createdAt: at }, 204);
  }
}

const DIRECTORY = 'Microsoft Entra ID';

/** Adds the token of the directory, and its requests that made changes. */
function addDirectoryRequests(tx: Tx, events: readonly AuditRow[], base: number): void {
  const made = events.filter(({ actorKind }) => actorKind === 'directory');
  const people = new Map(peopleOf(tx).map((member) => [member.suid, member]));
  const { admin } = staffOf(people.values());
  const prng = new Prng(`directory ${ACME}`);
  insertScimToken(tx, {
    id: prng.id(),
    orgCode: ACME,
    name: DIRECTORY,
    // Not the hash of any token, so no one can use it.
    hash: `${prng.id()}${prng.id()}`.slice(0, 43),
    createdAt: base - 90 * DAY,
    madeBySuid: admin.suid,
    ceiling: [...(SYSTEM_ROLES[0]?.permissions ?? [])],
    lastUsedAt: made.at(-1)?.at ?? null,
    expiresAt: base + 275 * DAY,
  });
  for (const { at, objectId, changes } of made) {
    const value = changes.some(({ after }) => after === 'active');
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value }],
    };
    insertScimLog(tx, {
      orgCode: ACME,
      at,
      operation: `PATCH /Users/${objectId}`,
      userName: people.get(objectId)?.primaryEmail ?? '',
      status: 200,
      body: JSON.stringify(body),
      detail: '',
    });
  }
}

const memberObject = (member: Member) => ({ type: 'member' as const, id: member.suid, name: fullNameOf(member) });

/** Returns the changes that left a time in the database. */
function changesInRows(db: Db, base: number): Change[] {
  const from = startOfDay(base) - (DAYS - 1) * DAY;
  const people = new Map(peopleOf(db).map((member) => [member.suid, member]));
  const helpDesk = staffOf(people.values()).helpDesk;
  const found: Change[] = [];
  for (const member of people.values()) {
    if (member.createdAt >= from)
      found.push({ at: member.createdAt, by: helpDesk, action: 'member.created', object: memberObject(member) });
  }
  for (const { zid, suid, name, registeredAt } of db
    .select()
    .from(devices)
    .where(and(eq(devices.orgCode, ACME), gte(devices.registeredAt, from)))
    .all()) {
    const by = people.get(suid);
    if (by)
      found.push({
        at: registeredAt,
        by,
        action: 'device.registered',
        object: { type: 'device', id: zid, name, suid },
      });
  }
  for (const { suid, type, issuedAt } of db
    .select()
    .from(activationCodes)
    .where(and(eq(activationCodes.orgCode, ACME), gte(activationCodes.issuedAt, from)))
    .all()) {
    const member = people.get(suid);
    if (!member) continue;
    const object = { type: 'activation-code' as const, id: suid, name: fullNameOf(member), suid };
    found.push({
      at: issuedAt,
      by: helpDesk,
      action: 'activation-code.issued',
      object,
      changes: [{ field: 'type', after: type }],
    });
  }
  const { admin } = staffOf(people.values());
  for (const { appId, name, createdAt } of db
    .select()
    .from(clientSecrets)
    .where(and(eq(clientSecrets.orgCode, ACME), gte(clientSecrets.createdAt, from)))
    .all()) {
    const object = { type: 'application' as const, id: appId, name: appId === 'payroll' ? 'Payroll' : appId };
    found.push({
      at: createdAt,
      by: admin,
      action: 'application.secret-added',
      object,
      changes: [{ field: 'name', after: name }],
    });
  }
  return found;
}

/** Returns edits of settings, answers and members on the workdays before today. */
function edits(db: Db, base: number): Change[] {
  const people = peopleOf(db);
  const { admin, helpDesk, security } = staffOf(people);
  const users = people.filter(({ roleCode, accountStatus }) => roleCode === 'USER' && accountStatus === 'active');
  const answers = db.select().from(faqRecords).where(eq(faqRecords.orgCode, ACME)).all();
  const prng = new Prng(`activity ${ACME}`);
  const found: Change[] = [];
  const settings: Omit<Change, 'at'>[] = [
    {
      by: security,
      action: 'session-settings.updated',
      object: { type: 'session-settings', id: ACME, name: 'Sessions and login options' },
      changes: [{ field: 'maxCookieLife', before: 240, after: 480 }],
    },
    {
      by: admin,
      action: 'branding.updated',
      object: { type: 'branding', id: ACME, name: 'Branding' },
      changes: [{ field: 'title', before: 'Sign in', after: 'Sign in to Acme' }],
    },
    {
      by: security,
      action: 'role.updated',
      object: { type: 'role', id: 'AUDITOR', name: 'Auditor' },
      changes: [{ field: 'name', before: 'Reviewer', after: 'Auditor' }],
    },
    {
      by: admin,
      action: 'application.updated',
      object: { type: 'application', id: 'team-wiki', name: 'Team Wiki' },
      changes: [{ field: 'name', before: 'Wiki', after: 'Team Wiki' }],
    },
  ];
  for (let daysAgo = DAYS - 1; daysAgo >= 0; daysAgo -= 1) {
    const day = startOfDay(base) - daysAgo * DAY;
    if (!isWorkday(day)) continue;
    const at = () => day + 7 * HOUR + prng.below(9 * HOUR);
    const setting = daysAgo % 2 === 0 ? settings.pop() : undefined;
    if (setting) found.push({ at: at(), ...setting });
    const record = answers[prng.below(answers.length)];
    if (record && prng.chance(0.4)) {
      const object = { type: 'faq-record' as const, id: record.id, name: record.question };
      found.push({ at: at(), by: helpDesk, action: 'faq-record.updated', object });
    }
    for (let nth = 1 + prng.below(3); nth > 0; nth -= 1) {
      const member = users[prng.below(users.length)];
      if (!member) continue;
      const object = memberObject(member);
      const start = at();
      const [before, after] = ['active', 'inactive'];
      const field = 'accountStatus';
      const by = prng.chance(0.15) ? null : helpDesk;
      found.push({ at: start, by, action: 'member.paused', object, changes: [{ field, before, after }] });
      const end = start + 5 * MINUTE + prng.below(2 * HOUR);
      const back = [{ field, before: after, after: before }] as const;
      found.push({ at: end, by, action: 'member.unpaused', object, changes: [...back] });
    }
  }
  return found;
}

const peopleOf = (db: Tx): Member[] => db.select().from(members).where(eq(members.orgCode, ACME)).all();

/** Returns the named administrators, who make the changes. */
function staffOf(people: Iterable<Member>): Record<'admin' | 'helpDesk' | 'security', Member> {
  const all = [...people];
  const named = (name: string): Member => {
    const found = all.find(({ primaryEmail }) => primaryEmail === `${name}@acme.test`);
    if (!found) throw new Error(`The demo has no ${name}@acme.test.`);
    return found;
  };
  return { admin: named('super.admin'), helpDesk: named('helpdesk.admin'), security: named('security.admin') };
}
