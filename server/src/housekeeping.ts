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

/** For a day, anyone who comes late is still told what became of a request or a session; after that it is unknown. */
const KEPT_MS = DAY;
/**
 * Messages are kept for as long as somebody may need to check what was sent; their codes and links only while they are
 * valid.
 */
const MESSAGES_KEPT_MS = 90 * DAY;

/** Deliveries to webhooks and SCIM services can be inspected, and sent again, for a month. */
const DELIVERIES_KEPT_MS = 30 * DAY;

/** Ten years: the longest that an organisation can have browsers remembered. */
const BROWSERS_KEPT_MS = 3_650 * DAY;

/** People who did not come can be found, and invited again, for a month. */
const INVITATIONS_KEPT_MS = 30 * DAY;

/** A large file leaves as many links and mails behind: they are deleted in portions, so that nobody has to wait. */
const PORTION = 5_000;

/** Deletes, hourly, what is long over, so that the database does not grow with every sign-in. */
export function scheduleCleanup(app: FastifyInstance, deps: Deps): void {
  const { config, db, clock, bus } = deps;
  // A new database in memory has nothing to delete, and tests start portals by the hundred. Others answer their first
  // requests before the first cleaning.
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
    // What clients have signed is kept by the time that clients are told.
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
