import { appTryRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import { hashSecret } from '../../../platform/adapters/hash-secret.ts';
import type { BegunAppLogin } from './begin-app-login.ts';

/** How long an administrator may take to sign in. */
const LIFETIME = 10 * MINUTE;

/** What the protocol needs to begin, and what the browser keeps; see `appLoginCookie`. */
export interface BegunAppTry extends Omit<BegunAppLogin, 'path'> {
  nonce: string;
  codeVerifier: string;
}

/** Begins a try of an application (decision 133). */
export function beginAppTry(
  { db, random, clock }: Pick<Deps, 'db' | 'random' | 'clock'>,
  application: Pick<appTryRepo.NewAppTry, 'orgCode' | 'appId' | 'protocol' | 'suid'>,
): BegunAppTry {
  const now = clock.now();
  const begun = { id: random.id(), nonce: random.secret(), codeVerifier: random.secret(), expiresAt: now + LIFETIME };
  const browserSecret = random.secret();
  appTryRepo.insertAppTry(db, { ...application, ...begun, browserHash: hashSecret(browserSecret), createdAt: now });
  return { ...begun, browserSecret };
}

/** Claims the try when its browser comes back: once, in time, and only in the browser that began it. */
export function returnAppTry(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  orgCode: string,
  { id, browserSecret }: { id: string; browserSecret: string },
): appTryRepo.AppTryRow | undefined {
  return appTryRepo.returnAppTry(db, orgCode, { id, browserHash: hashSecret(browserSecret), now: clock.now() });
}

/** The client's page that shows the findings. */
export const resultPath = ({ appId, id }: Pick<appTryRepo.AppTryRow, 'appId' | 'id'>): `/${string}` =>
  `/applications/${encodeURIComponent(appId)}/try/${encodeURIComponent(id)}`;
