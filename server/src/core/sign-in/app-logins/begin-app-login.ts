import { appLoginRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import { hashSecret } from '../../../platform/adapters/hash-secret.ts';

/** How long a person may take: longer than the life of a code, which can be renewed. */
const LIFETIME = 15 * MINUTE;

export interface AppLoginRequest
  extends Pick<appLoginRepo.NewAppLogin, 'orgCode' | 'appId' | 'protocol' | 'request' | 'loginHint' | 'needsStepUp'> {
  /** Given where the protocol has an id of its own. */
  id?: string;
}

/** What the protocol must do next: keep the secret in the browser, and send the browser to the page. */
export interface BegunAppLogin {
  id: string;
  /** For a cookie that is sent only on the way back; see `claimAppLogin`. */
  browserSecret: string;
  /** The sign-in page. */
  path: `/${string}`;
  expiresAt: number;
}

/** Begins a sign-in to an application (decision 110). */
export function beginAppLogin({ db, random, clock }: Deps, request: AppLoginRequest): BegunAppLogin {
  const now = clock.now();
  const { id = random.id() } = request;
  const browserSecret = random.secret();
  const row = { ...request, id, browserHash: hashSecret(browserSecret), createdAt: now, expiresAt: now + LIFETIME };
  appLoginRepo.insertAppLogin(db, row);
  const path = `/${encodeURIComponent(request.orgCode)}/sign-in?app=${encodeURIComponent(id)}` as const;
  return { id, browserSecret, path, expiresAt: row.expiresAt };
}

/**
 * The person who has signed in to an application: claimed once, in time, and only by the browser that began it;
 * otherwise undefined.
 */
export function claimAppLogin(
  { db, clock }: Deps,
  orgCode: string,
  { id, browserSecret }: { id: string; browserSecret: string },
): (appLoginRepo.AppLoginRow & appLoginRepo.AppLoginPerson & { authenticatedAt: number }) | undefined {
  const row = appLoginRepo.claimAppLogin(db, orgCode, { id, browserHash: hashSecret(browserSecret), now: clock.now() });
  if (!row?.suid || !row.zid || !row.mode || row.authenticatedAt === null) return undefined;
  const { suid, zid, mode, authenticatedAt } = row;
  return { ...row, suid, zid, mode, authenticatedAt };
}

/**
 * Ends a sign-in to an application to which nobody has signed in: once, in time, and only by the browser that began it;
 * otherwise undefined. @param mayEnd whether its protocol lets it end so
 */
export function endAppLogin(
  { db, clock }: Deps,
  orgCode: string,
  { id, browserSecret }: { id: string; browserSecret: string },
  mayEnd: (row: appLoginRepo.AppLoginRow) => boolean,
): appLoginRepo.AppLoginRow | undefined {
  const row = appLoginRepo.findAppLogin(db, id);
  if (!row || !mayEnd(row)) return undefined;
  return appLoginRepo.endAppLogin(db, orgCode, { id, browserHash: hashSecret(browserSecret), now: clock.now() });
}
