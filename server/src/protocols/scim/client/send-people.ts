import { setImmediate } from 'node:timers/promises';
import {
  applicationRepo,
  groupRepo,
  memberRepo,
  outboundLogRepo,
  outboundMarkRepo,
  outboundPersonRepo,
  outboundTargetRepo,
  type Tx,
} from '@orchestrate/db';
import { MINUTE, maskAddress, readJson } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { alertAdministrators } from '#core/audit/alert-administrators.ts';
import type { Deps } from '#deps.ts';
import { systemActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { deliverDue } from '#platform/live/deliver-due.ts';
import { drawChance, nextDeliveryAttempt } from '#platform/live/next-delivery-attempt.ts';
import { isObject, type JsonObject } from '../json.ts';
import { bringUpToDate, type Outcome } from './bring-up-to-date.ts';
import { type DesiredState, desiredGroupState, desiredMemberState } from './wanted.ts';

type Target = outboundTargetRepo.TargetRow;

/**
 * Records the result of an attempt and its effect on the service. A busy or unresponsive service is paused. A service
 * that rejects the credentials, or hasn't responded for days, is stopped until an administrator intervenes. If the
 * person's ID at the service has changed, people who refer to them are marked.
 * @param began start of the attempt, in milliseconds since the epoch
 * @param inScope true if the person can use the application; true for a group
 * @param groupName name of the group, or '' for a person
 * @returns the number of the log entry, or null if nothing had to be sent
 */
function settlePerson(
  deps: Deps,
  person: outboundPersonRepo.PersonRow,
  outcome: Outcome,
  {
    began,
    name,
    inScope,
    groupName,
  }: {
    began: number;
    name: string;
    inScope: boolean;
    groupName: string;
  },
): number | null {
  const { db, clock, bus } = deps;
  const { orgCode, appId, suid, groupId } = person;
  const app = { orgCode, appId };
  const { operation, failure, error, requests, remoteId, isUnfinished } = outcome;
  const now = clock.now();
  const number = db.transaction((tx) => {
    // The target may have been deleted, changed or stopped since it was read.
    const target = outboundTargetRepo.findTarget(tx, orgCode, appId);
    if (!target) return null;
    const nextAttemptAt = consequences(deps, tx, target, { person, outcome, now, name });
    const isOver = failure === null;
    const known = { remoteId, inScope: isOver ? inScope : person.inScope };
    if (suid !== null && referenceTo(person) !== referenceTo(known)) {
      if (target.sendManagers) outboundMarkRepo.markReports(tx, app, suid, now);
      if (target.sendGroups) outboundMarkRepo.markGroupsOfMember(tx, app, suid, now);
    }
    if (isOver && remoteId === null && outboundPersonRepo.deletePerson(tx, person)) {
      return operation && log(tx, 'delivered');
    }
    const willBeTried = isUnfinished || nextAttemptAt !== null || failure === 'stop' || failure === 'busy';
    const status = willBeTried ? 'waiting' : 'failed';
    const logNumber = operation && log(tx, isOver ? 'delivered' : status);
    const sent = outcome.sent && JSON.stringify(outcome.sent);
    outboundPersonRepo.settlePerson(
      tx,
      person,
      {
        ...known,
        sent,
        status: isOver && !isUnfinished ? 'current' : status,
        nextAttemptAt: isUnfinished && !isHeld(target) ? now : nextAttemptAt,
        logNumber: isOver || status === 'failed' ? null : logNumber,
      },
      now,
    );
    return logNumber;
  });
  if (failure === 'stop') bus.changed(TOPIC.outbox);
  return number;

  function log(tx: Tx, status: 'delivered' | 'failed' | 'waiting'): number {
    const { attempts, logNumber } = person;
    const entry = {
      orgCode,
      appId,
      suid,
      groupId,
      groupName,
      at: began,
      operation: operation ?? 'update',
      status,
      attempts,
      error,
      requests,
    };
    return outboundLogRepo.writeLog(tx, logNumber, entry);
  }
}

/**
 * Returns the ID that other resources can use to refer to a person at the service, or null if they must not refer to
 * the person.
 */
const referenceTo = ({ remoteId, inScope }: Pick<outboundPersonRepo.PersonRow, 'remoteId' | 'inScope'>) =>
  inScope ? remoteId : null;

const isHeld = ({ enabled, stoppedAt }: Target) => !enabled || stoppedAt !== null;

interface Settled {
  person: outboundPersonRepo.PersonRow;
  outcome: Outcome;
  now: number;
  name: string;
}

/**
 * Applies an attempt's effect to the service. @returns when the person is due again, or null if there is no automatic
 * retry
 */
function consequences(deps: Deps, tx: Tx, target: Target, { person, outcome, now, name }: Settled): number | null {
  const { orgCode, appId } = target;
  const app = { orgCode, appId };
  const { failure, error, retryAfterMs } = outcome;
  if (isHeld(target)) return null;
  const chance = drawChance(deps.random);
  if (failure === 'stop') return stop(error);
  if (failure === 'busy') {
    // Concurrent requests that fail for the same reason count as one failure.
    const isKnown = target.pausedUntil !== null && target.pausedUntil > now;
    const failures = target.failures + (isKnown ? 0 : 1);
    const next = nextDeliveryAttempt({ attempts: failures, retryAfterMs, chance }, now);
    if (next === null) return stop(`${error} (repeatedly, for several days)`);
    const pausedUntil = Math.max(target.pausedUntil ?? 0, next);
    outboundTargetRepo.changeTarget(tx, orgCode, appId, { failures, pausedUntil });
    outboundPersonRepo.postponePeople(tx, app, pausedUntil);
    return pausedUntil;
  }
  const isWell = target.failures === 0 && target.pausedUntil === null;
  if (!isWell && outcome.requests.length > 0)
    outboundTargetRepo.changeTarget(tx, orgCode, appId, { failures: 0, pausedUntil: null });
  return failure === 'later' ? nextDeliveryAttempt({ attempts: person.attempts, retryAfterMs, chance }, now) : null;

  function stop(stopReason: string): null {
    outboundTargetRepo.changeTarget(tx, orgCode, appId, { stoppedAt: now, stopReason });
    outboundPersonRepo.unschedulePeople(tx, app);
    alertAdministrators(deps, tx, systemActor(orgCode), {
      action: 'app-provisioning.stopped',
      object: { type: 'app-provisioning', id: appId, name },
      before: { stopped: false },
      after: { stopped: true, stopReason },
      texts: {
        en: {
          subject: 'Provisioning to an application has stopped',
          what: `The portal no longer sends users of ${name} to ${maskAddress(target.url)}.`,
          details: [['Why', stopReason]],
          advice: "Correct the settings on the application's “Provisioning” page and save them to resume.",
        },
        de: {
          subject: 'Die Provisionierung einer Anwendung wurde angehalten',
          what: `Das Portal sendet keine Personen von ${name} mehr an ${maskAddress(target.url)}.`,
          details: [['Grund', stopReason]],
          advice:
            'Korrigieren Sie die Einstellungen auf der Seite „Provisioning“ der Anwendung und speichern Sie sie, um fortzufahren.',
        },
      },
    });
    return null;
  }
}

/**
 * Time after which a person becomes due again if a crash interrupted the request, in milliseconds. Longer than all
 * requests for one person take.
 */
export const LEASE_MS = 2 * MINUTE;
/** Maximum number of people sent concurrently. */
const CONCURRENCY = 4;

/**
 * Sends due people and groups to the SCIM services of applications, and retries rejected requests. Each person or
 * group is claimed in the database first, so a restart loses none of them.
 */
export function sendPeople(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
  deliverDue<outboundTargetRepo.ActiveTarget>(app, deps, {
    what: 'the people of an application',
    kind: 'provisioning',
    topic: TOPIC.provisioning,
    atOnce: () => 1,
    claim: () => outboundMarkRepo.findMarking(db),
    nextTime: () => (outboundMarkRepo.findMarking(db) ? clock.now() : null),
    idOf: ({ orgCode, appId }) => `${orgCode} ${appId}`,
    async send(target) {
      await setImmediate();
      return () => markMore(deps, target);
    },
  });
  deliverDue<outboundPersonRepo.PersonRow>(app, deps, {
    what: 'a person of an application',
    kind: 'provisioning',
    topic: TOPIC.provisioning,
    atOnce: () => CONCURRENCY,
    claim: () => outboundPersonRepo.claimDuePerson(db, { now: clock.now(), leaseMs: LEASE_MS }),
    nextTime: () => outboundPersonRepo.findNextPersonTime(db),
    idOf: ({ number }) => number,
    async send(person) {
      // Most people in a full synchronisation need no request, so let other requests run in between.
      await setImmediate();
      return await sendPerson(deps, person);
    },
  });
}

/** Marks a service's next slice of people while earlier slices are being sent. */
function markMore({ db, clock, bus }: Deps, { orgCode, appId }: outboundTargetRepo.ActiveTarget): void {
  db.transaction((tx) => {
    // The target may have been saved or removed since it was read.
    const target = outboundTargetRepo.findTarget(tx, orgCode, appId);
    const isActive = target?.enabled === true && target.stoppedAt === null;
    if (isActive) outboundMarkRepo.markMore(tx, target, clock.now());
  });
  bus.changed(TOPIC.provisioning);
}

/**
 * Sends a claimed person or group.
 * @returns a function that records the result and returns the number of the log entry, or null if nothing had to be
 * sent
 */
export async function sendPerson(deps: Deps, person: outboundPersonRepo.PersonRow): Promise<() => number | null> {
  const { db, clock } = deps;
  const { orgCode, appId, groupId } = person;
  const target = outboundTargetRepo.findTarget(db, orgCode, appId);
  const application = applicationRepo.findApplication(db, orgCode, appId);
  if (!target || !application) return () => null;
  const began = clock.now();
  const wanted = groupId === null ? wantedOfPerson() : desiredGroupState(db, groupId, target, person);
  if (!wanted) return () => null;
  const outcome = await bringUpToDate(deps, target, person, wanted);
  const { name } = application;
  return () => settlePerson(deps, person, outcome, { began, name, inScope: wanted.inScope, groupName: groupName() });

  function wantedOfPerson(): DesiredState | undefined {
    const member = memberRepo.findMember(db, orgCode, person.suid ?? '');
    return member && application && target && desiredMemberState(db, member, application, target, person);
  }

  /** Returns the group's name, even if the group has been deleted. */
  function groupName(): string {
    if (groupId === null) return '';
    const { displayName } = groupRepo.findGroup(db, orgCode, groupId) ?? objectIn(person.sent);
    return typeof displayName === 'string' ? displayName : '';
  }
}

function objectIn(json: string | null): JsonObject {
  const value = readJson(json);
  return isObject(value) ? value : {};
}
