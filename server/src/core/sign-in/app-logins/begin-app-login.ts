import { appLoginRepo, browserRepo, type deviceRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { isNewDevice } from '../new-devices.ts';

/** Time to sign in. Longer than the lifetime of a code, because codes can be renewed. */
const LIFETIME = 15 * MINUTE;

export interface AppSignInRequest
  extends Pick<
    appLoginRepo.NewAppSignIn,
    'orgCode' | 'appId' | 'protocol' | 'request' | 'loginHint' | 'needsStepUp' | 'browser' | 'isFromAnotherSite'
  > {
  /** The protocol's ID for the sign-in, if there is one. */
  id?: string;
}

export interface StartedAppSignIn {
  id: string;
  /** Path of the sign-in page that the protocol redirects the browser to. */
  path: `/${string}`;
}

/** Starts a sign-in to an application (decision 110). */
export function startAppSignIn(deps: Deps, request: AppSignInRequest): StartedAppSignIn {
  const { db, random, clock } = deps;
  const now = clock.now();
  const { id = random.id() } = request;
  appLoginRepo.insertAppSignIn(db, { ...request, id, createdAt: now, expiresAt: now + LIFETIME });
  return { id, path: signInPath(deps, { loginHint: '', ...request, id }) };
}

/**
 * Returns the path of the sign-in page for an application sign-in. The page displays its QR code immediately if a
 * simulated phone is going to scan it, and otherwise after a click.
 */
export function signInPath(
  deps: Pick<Deps, 'willScan'>,
  signIn: Pick<appLoginRepo.AppSignInRow, 'id' | 'orgCode' | 'loginHint'>,
): `/${string}` {
  const path = `/${encodeURIComponent(signIn.orgCode)}/sign-in?app=${encodeURIComponent(signIn.id)}` as const;
  return deps.willScan(signIn) ? `${path}&with=scan` : path;
}

/** An application sign-in and the browser requesting it. */
export interface BrowserAppSignIn {
  id: string;
  /** The browser's key, as returned by `browserOf`. */
  browser: string | undefined;
}

/**
 * Claims a completed sign-in to an application, and records that the application was used in this browser. Returns
 * undefined if the sign-in was claimed before, has expired, or was started by another browser.
 */
export function claimAppSignIn(
  { db, clock }: Deps,
  orgCode: string,
  { id, browser }: BrowserAppSignIn,
): (appLoginRepo.AppSignInRow & appLoginRepo.AppSignInPerson & { authenticatedAt: number }) | undefined {
  if (browser === undefined) return undefined;
  const now = clock.now();
  const row = appLoginRepo.claimAppSignIn(db, orgCode, { id, browser, now });
  if (!row?.suid || !row.zid || !row.mode || row.authenticatedAt === null) return undefined;
  const { appId, suid, zid, mode, authenticatedAt } = row;
  browserRepo.recordAppUse(db, { orgCode, appId, suid, browser }, now);
  return { ...row, suid, zid, mode, authenticatedAt };
}

/**
 * Returns true if a sign-in satisfies step-up: the member picked the displayed number or used a passkey (decisions
 * 090, 130). Sign-ins by a remembered browser never do.
 */
export const hasStepUp = ({ needsStepUp, mode }: Pick<appLoginRepo.AppSignInRow, 'needsStepUp' | 'mode'>): boolean =>
  mode !== 'COOKIE' && (needsStepUp || mode === 'WEBAUTHN');

/**
 * Returns true if step-up is reported to the application. A new device isn't sufficient, because it proves no more
 * than the session that added it (decision 206).
 */
export const reportsStepUp = (
  signedIn: Pick<appLoginRepo.AppSignInRow, 'needsStepUp' | 'mode'>,
  device: Pick<deviceRepo.DeviceRow, 'approvesFrom'>,
  now: number,
): boolean => hasStepUp(signedIn) && !isNewDevice(device, now);

/**
 * Ends an incomplete sign-in to an application and returns it. Returns undefined if the sign-in has already ended or
 * expired, or if another browser started it. @param mayEnd returns true if the protocol allows ending the sign-in
 */
export function endAppSignIn(
  { db, clock }: Deps,
  orgCode: string,
  { id, browser }: BrowserAppSignIn,
  mayEnd: (row: appLoginRepo.AppSignInRow) => boolean,
): appLoginRepo.AppSignInRow | undefined {
  const row = appLoginRepo.findAppSignIn(db, id);
  if (browser === undefined || !row || !mayEnd(row)) return undefined;
  return appLoginRepo.cancelAppSignIn(db, orgCode, { id, browser, now: clock.now() });
}
