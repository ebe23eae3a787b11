import { setImmediate } from 'node:timers/promises';
import { applicationRepo, memberRepo, provisionedPersonRepo, provisioningTargetRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { TOPIC } from '../../../platform/live/bus.ts';
import { deliverDue } from '../../../platform/live/deliver-due.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { settlePerson } from './settle-person.ts';
import { wantedOf } from './wanted.ts';

/** Somebody who is being sent when the server is killed is due again after this. Longer than the requests for one person take. */
export const LEASE_MS = 2 * MINUTE;
/** People on their way at the same time. */
const AT_ONCE = 4;

/**
 * Sends people to the SCIM services of applications: those who are due, with retries for those who were not accepted.
 * Each is claimed in the database first, so that a restart forgets nobody.
 */
export function sendPeople(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
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
      await sendPerson(deps, person);
    },
  });
}

/** Sends a person who has been claimed. @returns the number of the log's entry; null where nothing had to be sent */
export async function sendPerson(deps: Deps, person: provisionedPersonRepo.PersonRow): Promise<number | null> {
  const { db, clock } = deps;
  const { orgCode, appId, suid } = person;
  const target = provisioningTargetRepo.findTarget(db, orgCode, appId);
  const application = applicationRepo.findApplication(db, orgCode, appId);
  const member = memberRepo.findMember(db, orgCode, suid);
  if (!target || !application || !member) return null;
  const began = clock.now();
  const outcome = await bringUpToDate(deps, target, person, wantedOf(db, member, application, target));
  return settlePerson(deps, person, outcome, { began, name: application.name });
}
