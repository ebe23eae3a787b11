import { appLoginRepo, browserRepo, type deviceRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { isNew } from '../new-devices.ts';

/** How long a person may take: longer than the life of a code, which can be renewed. */
const LIFETIME = 15 * MINUTE;

export interface AppLoginRequest
  extends Pick<
    appLoginRepo.NewAppLogin,
    'orgCode' | 'appId' | 'protocol' | 'request' | 'loginHint' | 'needsStepUp' | 'browser' | 'isFromAnotherSite'
  > {
  /** Given where the protocol has an id of its own. */
  id?: string;
}

export interface BegunAppLogin {
  id: string;
  /** The sign-in page, to which the protocol sends the browser. */
  path: `/${string}`;
}

/** Begins a sign-in to an application (decision 110). */
export function beginAppLogin({ db, random, clock }: Deps, request: AppLoginRequest): BegunAppLogin {
  const now = clock.now();
  const { id = random.id() } = request;
  appLoginRepo.insertAppLogin(db, { ...request, id, createdAt: now, expiresAt: now + LIFETIME });
  return { id, path: signInPath(request.orgCode, id) };
}

/** The sign-in page for a sign-in to an application. */
export const signInPath = (orgCode: string, id: string) =>
  `/${encodeURIComponent(orgCode)}/sign-in?app=${encodeURIComponent(id)}` as const;

/** Identifies a sign-in to an application, and the browser that asks for it. */
export interface AppLoginOfBrowser {
  id: string;
  /** See `browserOf`. */
  browser: string | undefined;
}

/**
 * Claims a completed sign-in to an application, and remembers that the person uses this application in the browser. Returns who
 * signed in, or undefined unless it is the first time, in time, and by the browser that started the sign-in.
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
 * Whether a sign-in satisfies step-up, required by the application or the organisation: the person chose the number on the screen, or used a passkey
 * (decisions 090, 130). A remembered browser does neither.
 */
export const hasStepUp = ({ needsStepUp, mode }: Pick<appLoginRepo.AppLoginRow, 'needsStepUp' | 'mode'>): boolean =>
  mode !== 'COOKIE' && (needsStepUp || mode === 'WEBAUTHN');

/**
 * Whether an application is told of step-up: a new device proves no more than the session that added it (decision 206).
 */
export const reportsStepUp = (
  signedIn: Pick<appLoginRepo.AppLoginRow, 'needsStepUp' | 'mode'>,
  device: Pick<deviceRepo.DeviceRow, 'approvesFrom'>,
  now: number,
): boolean => hasStepUp(signedIn) && !isNew(device, now);

/**
 * Ends a sign-in to an application that no one completed. Returns it, or undefined unless it is the first time, in time,
 * and by the browser that started the sign-in. @param mayEnd whether its protocol allows this
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
