import { organisationRepo, sessionRepo, type Tx } from '@orchestrate/db';
import { type AuthState, DAY, LIMITS, MINUTE, modulesOf, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { type Caller, findCaller } from '#platform/http/callers/caller.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { profileOf } from './profile-of.ts';

/** A member signing in with one of their devices. */
export interface SignIn {
  orgCode: string;
  suid: string;
  zid: string;
  /** Sign-in method, e.g. `QID`. */
  mode?: string;
  userAgent?: string;
  ip?: string;
}

interface HowOpened {
  /** Link to the external provider that signed the member in. Removing the link ends the session. */
  externalIdentityId?: string | undefined;
  /** The browser's key, as returned by `identifyBrowser`. */
  browser?: string | undefined;
}

/** A new session that has no access token yet. */
export interface OpenedSession {
  orgCode: string;
  sid: string;
  refreshToken: string;
}

/** Lifetime of a session without a timeout. Longer than browsers keep the session. */
const ENDLESS = 3_650 * DAY;

/** Returns the lifetime of a session in milliseconds. @param sessionTimeout minutes; 0 = no timeout */
export const sessionLifetime = (sessionTimeout: number): number => sessionTimeout * MINUTE || ENDLESS;

/**
 * Creates a session with the organisation's `sessionTimeout`. Call it in the transaction that claims the sign-in.
 * @param signIn `zid` is null if an external provider signed the member in without a device
 */
export function openSession(
  { clock, random }: Deps,
  tx: Tx,
  {
    orgCode,
    suid,
    zid,
    mode = '',
    userAgent = '',
    ip = '',
    externalIdentityId,
    browser,
  }: Omit<SignIn, 'zid'> & { zid: string | null } & HowOpened,
): OpenedSession {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  const now = clock.now();
  const opened = { orgCode, sid: random.id(), refreshToken: random.secret() };
  const expiresAt = now + sessionLifetime(organisation.sessionTimeout);
  const session = {
    sid: opened.sid,
    orgCode,
    suid,
    zid,
    mode,
    userAgent,
    ip,
    createdAt: now,
    expiresAt,
    externalIdentityId,
    browser,
  };
  sessionRepo.insertSession(tx, session, hashSecret(opened.refreshToken));
  return opened;
}

/**
 * Returns the state that the client stores after a sign-in. Call it after committing the `openSession` transaction.
 * @throws Refusal INVALID_SESSION if the member or device isn't active
 */
export function authStateOf(deps: Deps, { orgCode, sid, refreshToken }: OpenedSession): AuthState {
  const caller = findCaller(deps, { orgCode, sid });
  if (!caller) throw new Refusal('INVALID_SESSION');
  return {
    token: accessToken(deps, caller),
    refreshToken,
    profile: profileOf(caller),
    orgId: orgCode,
    role: caller.roleCode,
    modules: modulesOf(caller.permissions),
  };
}

/** Runs `openSession` and `authStateOf` for a sign-in that has no challenge to claim. */
export function startSession(deps: Deps, signIn: SignIn): AuthState {
  return authStateOf(
    deps,
    deps.db.transaction((tx) => openSession(deps, tx, signIn)),
  );
}

/**
 * Ends sessions immediately, including their refresh tokens and channels. Call it after committing the change that
 * ends them.
 * @returns IDs of the ended sessions
 */
export function endSessions(deps: Deps, orgCode: string, whose: sessionRepo.SessionFilter): readonly string[] {
  const ended = sessionRepo.revokeSessions(deps.db, orgCode, whose, deps.clock.now());
  publishEndedSessions(deps, ended);
  return ended;
}

/**
 * Closes the channels of ended sessions, and starts sending logout notifications to their applications. Call it after
 * committing the change that ended them, even if no portal session has ended.
 * @param sessions IDs of the ended sessions
 */
export function publishEndedSessions({ bus }: Pick<Deps, 'bus'>, sessions: readonly string[]): void {
  for (const sid of sessions) bus.changed(TOPIC.session(sid));
  bus.changed(TOPIC.logouts);
}

/**
 * Exchanges a refresh token for a new token pair and uses it up (decision 011). A replayed token ends the session,
 * except during a short grace period, because the response may have been lost.
 * @throws Refusal INVALID_SESSION for an unknown or replayed token, or an ended session; IP_NOT_VALID if the
 * organisation doesn't allow the address, without using up the token
 */
export function refreshSession(deps: Deps, token: string, ip: string): { token: string; refreshToken: string } {
  const rotated = deps.db.transaction((tx) => rotate(deps, tx, token, ip));
  if ('replayed' in rotated) {
    endSessions(deps, rotated.replayed.orgCode, { sid: rotated.replayed.sid });
    throw new Refusal('INVALID_SESSION');
  }
  const { caller, refreshToken } = rotated;
  return { token: accessToken(deps, caller), refreshToken };
}

type Rotated = { caller: Caller; refreshToken: string } | { replayed: { orgCode: string; sid: string } };

function rotate(deps: Deps, tx: Tx, token: string, ip: string): Rotated {
  const now = deps.clock.now();
  const hash = hashSecret(token);
  const isFirstUse = sessionRepo.claimRefreshToken(tx, hash, now);
  const known = sessionRepo.findRefreshToken(tx, hash);
  const caller = known && findCaller(deps, known);
  if (!known || !caller) throw new Refusal('INVALID_SESSION');
  // If the address isn't allowed, the transaction rolls back the claim, and the token isn't used up.
  requireAllowedIp(ip, caller);
  const isLate = now - (known.usedAt ?? now) > LIMITS.refreshReplayGraceSeconds * SECOND;
  if (!isFirstUse && isLate) return { replayed: known };
  const refreshToken = deps.tokens.successorOf(token);
  // Store the next token only once. Tabs that refresh at the same time derive the same next token, so replays are
  // detected in a single chain.
  if (isFirstUse) {
    sessionRepo.insertRefreshToken(tx, { hash: hashSecret(refreshToken), sid: known.sid, createdAt: now });
    sessionRepo.touchSession(tx, known.sid, now);
  }
  return { caller, refreshToken };
}

/** Returns the session that a refresh token was issued for, whatever its status. */
export function findSessionByRefreshToken({ db }: Deps, refreshToken: string) {
  return sessionRepo.findRefreshToken(db, hashSecret(refreshToken));
}

/** Signs an access token that expires after ten minutes, or when the session ends. */
function accessToken({ clock, tokens }: Deps, caller: Caller): string {
  const latest = Math.min(clock.now() + LIMITS.accessTokenSeconds * SECOND, caller.sessionExpiresAt);
  const { suid, orgCode, roleCode, zid, sid } = caller;
  return tokens.sign({ suid, orgCode, roleCode, zid, sid, expiresAt: Math.floor(latest / SECOND) * SECOND });
}
