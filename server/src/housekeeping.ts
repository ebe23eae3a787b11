import {
  appLoginRepo,
  browserRepo,
  challengeRepo,
  decoySignUpRepo,
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

/** Retention of ended requests and sessions, so that late callers still learn the outcome. */
const KEPT_MS = DAY;
/**
 * Retention of messages, for checking what was sent. Their codes and links are deleted when they expire.
 */
const MESSAGES_KEPT_MS = 90 * DAY;

/** Retention of deliveries to webhooks and SCIM services, which can be inspected and resent. */
const DELIVERIES_KEPT_MS = 30 * DAY;

/** Ten years, the maximum time for which organisations can remember browsers. */
const BROWSERS_KEPT_MS = 3_650 * DAY;

/** Retention of invitations, so that people who did not accept them can be found and invited again. */
const INVITATIONS_KEPT_MS = 30 * DAY;

/** Rows deleted per transaction: a bulk invite leaves many links and emails, and deleting all would block requests. */
const PORTION = 5_000;

/** Deletes expired rows every hour, so that the database doesn't grow with each sign-in. */
export function scheduleCleanup(app: FastifyInstance, deps: Deps): void {
  const { config, db, clock, bus } = deps;
  // A new database in memory has nothing to delete, and tests start many portals. Others answer their first requests
  // before the first cleanup.
  const firstAfter = config.databaseFile === ':memory:' ? HOUR : MINUTE;
  const begin = () => clock.at(later(clock.now(), firstAfter), clean);
  let cancel = begin();
  // A reset may have set the clock back by months.
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
    appLoginRepo.pruneAppLogins(db, before);
    testSignInRepo.pruneTestSignIns(db, before);
    externalSignInRepo.pruneExternalSignIns(db, before);
    browserRepo.pruneBrowsers(db, clock.now() - BROWSERS_KEPT_MS);
    browserRepo.pruneUses(db, clock.now() - BROWSER_LIFETIME);
    logoutRepo.pruneLogouts(db, before);
    // Signed requests of clients expire by external time.
    oidcModelRepo.pruneOidcModels(db, clock.pastOnBoth() - KEPT_MS);
    oidcModelRepo.pruneOidcRequests(db, clock.now());
    sessionRepo.purgeSessions(db, before);
    emailChangeRepo.pruneEmailChanges(db, before);
    oneTimeCodeRepo.pruneOneTimeCodes(db, before);
    throttleRepo.pruneThrottles(db, before);
    decoySignUpRepo.pruneDecoySignUps(db, before);
    pushDenialRepo.prunePushDenials(db, before);
    const links = invitationRepo.pruneInvitations(db, clock.now() - INVITATIONS_KEPT_MS, PORTION);
    const messages = outboxRepo.pruneOutbox(db, clock.now() - MESSAGES_KEPT_MS, PORTION);
    const sent = webhookRepo.pruneDeliveries(db, clock.now() - DELIVERIES_KEPT_MS, PORTION);
    const people = outboundLogRepo.pruneLog(db, clock.now() - DELIVERIES_KEPT_MS, PORTION);
    const events = forgetEvents(deps, PORTION);
    const secrets = outboxRepo.forgetSecretsOver(db, clock.now(), PORTION);
    if (messages > 0) bus.changed(TOPIC.outbox);
    const isDone = [links, messages, secrets, sent, people, events].every((count) => count < PORTION);
    cancel = clock.at(later(clock.now(), isDone ? HOUR : SECOND), clean);
  }
}
