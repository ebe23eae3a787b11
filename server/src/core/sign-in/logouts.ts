import { logoutNoticeRepo, logoutRepo, oidcModelRepo, organisationRepo, sessionRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { logoutPath } from '#platform/own-addresses.ts';

/**
 * Delay before an application that didn't respond during a logout is notified again from the queue, in milliseconds.
 */
const AGAIN_AFTER = 5 * SECOND;

/** Time for the browser to visit all applications, in milliseconds. */
const LIFETIME = 15 * MINUTE;

type NewLogout = logoutRepo.BrowserSignIns &
  Pick<logoutRepo.LogoutRow, 'begunBy' | 'goesTo'> &
  Partial<Pick<logoutRepo.LogoutRow, 'participants' | 'otherBrowsers'>> & {
    /** The browser that requests the logout; see `browserOf`. */
    startedBy: string | undefined;
  };

/**
 * Starts signing a member out of everything in a browser (decision 178). @returns the path of the page that continues
 * the logout
 */
export function beginLogout({ db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>, logout: NewLogout): string {
  const now = clock.now();
  const id = random.secret();
  logoutRepo.insertLogout(db, {
    participants: [],
    otherBrowsers: [],
    ...logout,
    startedBy: logout.startedBy ?? null,
    id,
    createdAt: now,
    expiresAt: now + LIFETIME,
  });
  return logoutPath(logout.orgCode, id);
}

/** Queues a logout notification for an OpenID client that couldn't be reached. */
export function notifyOidcLater(
  { db, clock, bus }: Pick<Deps, 'db' | 'clock' | 'bus'>,
  whose: { orgCode: string; suid: string },
  app: { appId: string; sid: string },
): void {
  logoutNoticeRepo.queueOidcLogout(db, whose, [app], clock.now() + AGAIN_AFTER);
  bus.changed(TOPIC.logouts);
}

/** Like `notifyOidcLater`, but for a SAML application, whose sign-in hasn't ended yet. */
export function notifySamlLater(
  { db, clock, bus }: Pick<Deps, 'db' | 'clock' | 'bus'>,
  session: logoutRepo.SamlSessionRow,
): void {
  db.transaction((tx) => {
    logoutRepo.insertSamlSession(tx, session);
    logoutNoticeRepo.queueSamlLogout(tx, session.orgCode, session, clock.now() + AGAIN_AFTER);
  });
  bus.changed(TOPIC.logouts);
}

/**
 * Returns true if signing out of an application ends no other sign-in in the browser. @param appId the application
 * that has already signed out; '' for the portal
 */
export function endsNoOtherSignIn({ db }: Pick<Deps, 'db'>, where: logoutRepo.BrowserSignIns, appId: string): boolean {
  const { orgCode } = where;
  if (logoutRepo.isSignedInBySaml(db, where, appId)) return false;
  if (oidcModelRepo.findOidcSessionByBrowser(db, where)) return false;
  const endsPortal = appId !== '' && organisationRepo.findOrganisation(db, orgCode)?.logoutTogether;
  return !endsPortal || !sessionRepo.isSignedInOnBrowser(db, where);
}
