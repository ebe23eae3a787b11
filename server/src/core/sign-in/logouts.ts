import { logoutNoticeRepo, logoutRepo, oidcModelRepo, organisationRepo, sessionRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { logoutPath } from '#platform/own-addresses.ts';

/** Delay before the queue notifies an application that didn't respond during a logout, in milliseconds. */
const AGAIN_AFTER = 5 * SECOND;

/** Time for the browser to visit all applications. */
const LIFETIME = 15 * MINUTE;

type NewLogout = logoutRepo.InBrowser &
  Pick<logoutRepo.LogoutRow, 'begunBy' | 'goesTo'> &
  Partial<Pick<logoutRepo.LogoutRow, 'participants' | 'otherBrowsers'>> & {
    /** The requesting browser, see `browserOf`. */
    startedBy: string | undefined;
  };

/**
 * Starts to sign a member out of everything in a browser (decision 178). @returns the path of the page that continues
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

/** Queues a logout notification to an OpenID client that couldn't be notified. */
export function tellOidcLater(
  { db, clock, bus }: Pick<Deps, 'db' | 'clock' | 'bus'>,
  whose: { orgCode: string; suid: string },
  app: { appId: string; sid: string },
): void {
  logoutNoticeRepo.queueOidcLogout(db, whose, [app], clock.now() + AGAIN_AFTER);
  bus.changed(TOPIC.logouts);
}

/** Like `tellOidcLater`, for a SAML application, whose sign-in hasn't ended yet. */
export function tellSamlLater(
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
 * Returns true if no other sign-in would end with this one. @param appId the application that has already signed out; ''
 * for the portal
 */
export function isAlone({ db }: Pick<Deps, 'db'>, where: logoutRepo.InBrowser, appId: string): boolean {
  const { orgCode } = where;
  if (logoutRepo.isSignedInBySaml(db, where, appId)) return false;
  if (oidcModelRepo.findOidcSessionOfBrowser(db, where)) return false;
  const endsPortal = appId !== '' && organisationRepo.findOrganisation(db, orgCode)?.logoutTogether;
  return !endsPortal || !sessionRepo.isSignedInBy(db, where);
}
