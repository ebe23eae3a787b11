import { appLoginRepo, browserRepo, type deviceRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { isNew } from '../new-devices.ts';

/** Time to sign in, longer than the lifetime of a code, which can be renewed. */
const LIFETIME = 15 * MINUTE;

export interface AppLoginRequest
  extends Pick<
    appLoginRepo.NewAppLogin,
    'orgCode' | 'appId' | 'protocol' | 'request' | 'loginHint' | 'needsStepUp' | 'browser' | 'isFromAnotherSite'
  > {
  /** Present if the protocol has its own id. */
  id?: string;
}

export interface StartedAppLogin {
  id: string;
  /** Path of the sign-in page, to which the protocol redirects the browser. */
  path: `/${string}`;
}

/** Starts a sign-in to an application (decision 110). */
export function beginAppLogin({ db, random, clock }: Deps, request: AppLoginRequest): StartedAppLogin {
  const now = clock.now();
  const { id = random.id() } = request;
  appLoginRepo.insertAppLogin(db, { ...request, id, createdAt: now, expiresAt: now + LIFETIME });
  return { id, path: signInPath(request.orgCode, id) };
}

/** Returns the path of the sign-in page for a sign-in to an application. */
export const signInPath = (orgCode: string, id: string) =>
  `/${encodeURIComponent(orgCode)}/sign-in?app=${encodeURIComponent(id)}` as const;

/** A sign-in to an application, and the browser that requests it. */
export interface AppLoginOfBrowser {
  id: string;
  /** See `browserOf`. */
  browser: string | undefined;
}

/**
 * Claims a completed sign-in to an application, and records the use of the application in this browser. Returns undefined
 * if it was claimed before, has expired, or was started by another browser.
 */
export function claimAppLogin(
  { db, clock }: Deps,
  orgCode: string,
  { id, browser }: AppLoginOfBrowser,
): (appLoginRepo.AppLoginRow & appLoginRepo.AppLoginPerson & { authenticatedAt: number }) | undefined {
  if (browser === undefined) return undefined;
  const now = clock.now();
  const row = appLoginRepo.claimAppLogin(db, orgCode, { id, browser, now });
  if (!row?.suid || !row.zid || !row.mode || row.authenticatedAt === null) return undefined;
  const { appId, suid, zid, mode, authenticatedAt } = row;
  browserRepo.recordUse(db, { orgCode, appId, suid, browser }, now);
  return { ...row, suid, zid, mode, authenticatedAt };
}

/**
 * Returns true if a sign-in satisfies step-up: the member picked the displayed number or used a passkey (decisions 090,
 * 130). A remembered browser never does.
 */
export const hasStepUp = ({ needsStepUp, mode }: Pick<appLoginRepo.AppLoginRow, 'needsStepUp' | 'mode'>): boolean =>
  mode !== 'COOKIE' && (needsStepUp || mode === 'WEBAUTHN');

/**
 * Returns true if step-up is reported to the application. A new device proves no more than the session that added it
 * (decision 206).
 */
export const reportsStepUp = (
  signedIn: Pick<appLoginRepo.AppLoginRow, 'needsStepUp' | 'mode'>,
  device: Pick<deviceRepo.DeviceRow, 'approvesFrom'>,
  now: number,
): boolean => hasStepUp(signedIn) && !isNew(device, now);

/**
 * Ends an uncompleted sign-in to an application and returns it. Returns undefined if it has ended or expired, or if
 * another browser started it. @param mayEnd returns true if the protocol allows it
 */
export function endAppLogin(
  { db, clock }: Deps,
  orgCode: string,
  { id, browser }: AppLoginOfBrowser,
  mayEnd: (row: appLoginRepo.AppLoginRow) => boolean,
): appLoginRepo.AppLoginRow | undefined {
  const row = appLoginRepo.findAppLogin(db, id);
  if (browser === undefined || !row || !mayEnd(row)) return undefined;
  return appLoginRepo.endAppLogin(db, orgCode, { id, browser, now: clock.now() });
}
