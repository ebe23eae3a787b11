import { setImmediate } from 'node:timers/promises';
import {
  applicationRepo,
  groupRepo,
  memberRepo,
  provisionedPersonRepo,
  provisioningMarkRepo,
  provisioningTargetRepo,
} from '@orchestrate/db';
import { MINUTE, readJson } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { TOPIC } from '../../../platform/live/bus.ts';
import { deliverDue } from '../../../platform/live/deliver-due.ts';
import { isObject, type JsonObject } from '../json.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { settlePerson } from './settle-person.ts';
import { type Wanted, wantedOf, wantedOfGroup } from './wanted.ts';

/**
 * Somebody who is being sent when the server is killed is due again after this. Longer than the requests for one of
 * them take.
 */
export const LEASE_MS = 2 * MINUTE;
/** People on their way at the same time. */
const AT_ONCE = 4;

/**
 * Sends people and groups to the SCIM services of applications: those who are due, with retries for those who were not
 * accepted. Each is claimed in the database first, so that a restart forgets nobody.
 */
export function sendPeople(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
  deliverDue<provisioningTargetRepo.ActiveTarget>(app, deps, {
    what: 'the people of an application',
    topic: TOPIC.provisioning,
    atOnce: () => 1,
    claim: () => provisioningMarkRepo.findMarking(db),
    nextTime: () => (provisioningMarkRepo.findMarking(db) ? clock.now() : null),
    idOf: ({ orgCode, appId }) => `${orgCode} ${appId}`,
    async send(target) {
      await setImmediate();
      return () => markMore(deps, target);
    },
  });
  deliverDue<provisionedPersonRepo.PersonRow>(app, deps, {
    what: 'a person of an application',
    topic: TOPIC.provisioning,
    atOnce: () => AT_ONCE,
    claim: () => provisionedPersonRepo.claimDuePerson(db, { now: clock.now(), leaseMs: LEASE_MS }),
    nextTime: () => provisionedPersonRepo.findNextPersonTime(db),
    idOf: ({ number }) => number,
    async send(person) {
      // Most people of a whole synchronisation need no request: others get their turn in between.
      await setImmediate();
      return await sendPerson(deps, person);
    },
  });
}

/** Marks the next people of a service; they are sent meanwhile. */
function markMore({ db, clock, bus }: Deps, { orgCode, appId }: provisioningTargetRepo.ActiveTarget): void {
  db.transaction((tx) => {
    // Saved or removed since it was read.
    const target = provisioningTargetRepo.findTarget(tx, orgCode, appId);
    const isActive = target?.enabled === true && target.stoppedAt === null;
    if (isActive) provisioningMarkRepo.markMore(tx, target, clock.now());
  });
  bus.changed(TOPIC.provisioning);
}

/**
 * Sends a person or a group that has been claimed.
 * @returns what records the result, and returns the number of the log's entry; null where nothing had to be sent
 */
export async function sendPerson(deps: Deps, person: provisionedPersonRepo.PersonRow): Promise<() => number | null> {
  const { db, clock } = deps;
  const { orgCode, appId, groupId } = person;
  const target = provisioningTargetRepo.findTarget(db, orgCode, appId);
  const application = applicationRepo.findApplication(db, orgCode, appId);
  if (!target || !application) return () => null;
  const began = clock.now();
  const wanted = groupId === null ? wantedOfPerson() : wantedOfGroup(db, groupId, target, person);
  if (!wanted) return () => null;
  const outcome = await bringUpToDate(deps, target, person, wanted);
  const { name } = application;
  return () => settlePerson(deps, person, outcome, { began, name, inScope: wanted.inScope, groupName: groupName() });

  function wantedOfPerson(): Wanted | undefined {
    const member = memberRepo.findMember(db, orgCode, person.suid ?? '');
    return member && application && target && wantedOf(db, member, application, target, person);
  }

  /** Also of one that is gone. */
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
