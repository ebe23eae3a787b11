import {
  appLoginRepo,
  browserRepo,
  challengeRepo,
  decoySignUpRepo,
  deviceSignatureRepo,
  emailChangeRepo,
  externalSignInRepo,
  invitationRepo,
  logoutRepo,
  oidcModelRepo,
  oneTimeCodeRepo,
  outboundLogRepo,
  outboxRepo,
  pushDenialRepo,
  sessionRepo,
  testSignInRepo,
  throttleRepo,
  webhookRepo,
} from '@orchestrate/db';
import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { forgetEvents } from './core/audit/forget-events.ts';
import { BROWSER_LIFETIME } from './core/sign-in/browser-id.ts';
import type { Deps } from './deps.ts';
import { TOPIC } from './platform/live/bus.ts';
import { later } from './platform/times.ts';

/** Retention of ended requests and sessions. Clients that ask late still get the outcome. */
const KEPT_MS = DAY;
/** Retention of sent messages. Their codes and links are deleted as soon as they expire. */
const MESSAGES_KEPT_MS = 90 * DAY;

/** Retention of deliveries to webhooks and SCIM services, which administrators can inspect and resend. */
const DELIVERIES_KEPT_MS = 30 * DAY;

/** Retention of remembered browsers: ten years, the longest period that organisations can configure. */
const BROWSERS_KEPT_MS = 3_650 * DAY;

/** Retention of invitations. Administrators can find people who didn't accept and invite them again. */
const INVITATIONS_KEPT_MS = 30 * DAY;

/**
 * Maximum number of rows deleted per transaction. A bulk invite leaves many links and emails, and deleting all of
 * them together would block requests.
 */
const BATCH_SIZE = 5_000;

/** Schedules an hourly deletion of expired rows, which would otherwise accumulate with each sign-in. */
export function scheduleCleanup(app: FastifyInstance, deps: Deps): void {
  const { config, db, clock, bus } = deps;
  // An in-memory database starts empty, so its first cleanup can wait an hour. Other portals clean up after a minute,
  // once they have served their first requests.
  const firstAfter = config.databaseFile === ':memory:' ? HOUR : MINUTE;
  const begin = () => clock.at(later(clock.now(), firstAfter), clean);
  let cancel = begin();
  // Reschedule, because a reset can set the clock back by months.
  const stop = bus.listen([TOPIC.reset], () => {
    cancel();
    cancel = begin();
  });
  app.addHook('preClose', async () => {
    stop();
    cancel();
  });

  function clean(): void {
    const before = clock.now() - KEPT_MS;
    challengeRepo.pruneChallenges(db, before);
    appLoginRepo.pruneAppSignIns(db, before);
    testSignInRepo.pruneTestSignIns(db, before);
    externalSignInRepo.pruneExternalSignIns(db, before);
    browserRepo.pruneBrowsers(db, clock.now() - BROWSERS_KEPT_MS);
    browserRepo.pruneAppUses(db, clock.now() - BROWSER_LIFETIME);
    logoutRepo.pruneLogouts(db, before);
    // Clients date signed requests by external time, so keep the records until both clocks have passed the expiry.
    oidcModelRepo.pruneOidcModels(db, clock.pastOnBoth() - KEPT_MS);
    oidcModelRepo.pruneOidcRequests(db, clock.now());
    deviceSignatureRepo.pruneSignatures(db, clock.pastOnBoth());
    sessionRepo.pruneSessions(db, before);
    emailChangeRepo.pruneEmailChanges(db, before);
    oneTimeCodeRepo.pruneOneTimeCodes(db, before);
    throttleRepo.pruneThrottles(db, before);
    decoySignUpRepo.pruneDecoySignUps(db, before);
    pushDenialRepo.prunePushDenials(db, before);
    const links = invitationRepo.pruneInvitations(db, clock.now() - INVITATIONS_KEPT_MS, BATCH_SIZE);
    const messages = outboxRepo.pruneOutbox(db, clock.now() - MESSAGES_KEPT_MS, BATCH_SIZE);
    const sent = webhookRepo.pruneDeliveries(db, clock.now() - DELIVERIES_KEPT_MS, BATCH_SIZE);
    const people = outboundLogRepo.pruneLog(db, clock.now() - DELIVERIES_KEPT_MS, BATCH_SIZE);
    const events = forgetEvents(deps, BATCH_SIZE);
    const secrets = outboxRepo.forgetExpiredSecrets(db, clock.now(), BATCH_SIZE);
    if (messages > 0) bus.changed(TOPIC.outbox);
    const isDone = [links, messages, secrets, sent, people, events].every((count) => count < BATCH_SIZE);
    cancel = clock.at(later(clock.now(), isDone ? HOUR : SECOND), clean);
  }
}
