import { organisationRepo, sessionRepo, type Tx } from '@orchestrate/db';
import { type AuthState, DAY, LIMITS, MINUTE, modulesOf, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { type Caller, findCaller } from '#platform/http/callers/caller.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { profileOf } from './profile-of.ts';

/** Who signs in, and with which of their devices. */
export interface SignIn {
  orgCode: string;
  suid: string;
  zid: string;
  /** How, e.g. `QID`. */
  mode?: string;
  /** Which browser, and from where. */
  userAgent?: string;
  ip?: string;
}

interface HowOpened {
  /** The link through which an external provider signed the person in; the session ends with it. */
  externalIdentityId?: string | undefined;
  /** See `identifyBrowser`. */
  browser?: string | undefined;
}

/** A session whose tokens have not been made yet. */
export interface OpenedSession {
  orgCode: string;
  sid: string;
  refreshToken: string;
}

/** Lifetime of a session where the organisation sets no end: longer than any browser keeps it. */
const ENDLESS = 3_650 * DAY;

/** @param sessionTimeout minutes; 0 = no end. @returns milliseconds */
export const sessionLifetime = (sessionTimeout: number): number => sessionTimeout * MINUTE || ENDLESS;

/**
 * Writes a session that lasts for the organisation's `sessionTimeout`. Call it inside the transaction that claims the
 * sign-in.
 * @param signIn its `zid` is null where an external provider signed the person in without a device
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
 * What the client keeps of a sign-in. Call it after the transaction of `openSession`.
 * @throws Refusal INVALID_SESSION where the member or device may not act.
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

/** `openSession` and `authStateOf` in one, for a sign-in that claims nothing else. */
export function startSession(deps: Deps, signIn: SignIn): AuthState {
  return authStateOf(
    deps,
    deps.db.transaction((tx) => openSession(deps, tx, signIn)),
  );
}

/**
 * Ends sessions immediately, with their refresh tokens and channels. Call it after the transaction of the cause.
 * @returns their ids
 */
export function endSessions(deps: Deps, orgCode: string, whose: sessionRepo.SessionFilter): readonly string[] {
  const ended = sessionRepo.revokeSessions(deps.db, orgCode, whose, deps.clock.now());
  announceEnded(deps, ended);
  return ended;
}

/**
 * Closes what ended sessions have open, and lets the applications that ended with them be told. Call it after the
 * transaction of the cause, even where no session of the portal has ended.
 * @param sessions their ids
 */
export function announceEnded({ bus }: Pick<Deps, 'bus'>, sessions: readonly string[]): void {
  for (const sid of sessions) bus.changed(TOPIC.session(sid));
  bus.changed(TOPIC.logouts);
}

/**
 * Exchanges a refresh token, which is used up, for a fresh pair (decision 011).
 * @throws Refusal INVALID_SESSION for an unknown token, an ended session, or a token used before: then the session
 * ends, unless it was used so shortly ago that the answer may have been lost on the way. IP_NOT_VALID where the
 * organisation lets nobody in from there: the token is not used up by it.
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
  // Thrown before anything is stored: the transaction rolls back the claim.
  requireAllowedIp(ip, caller);
  const isLate = now - (known.usedAt ?? now) > LIMITS.refreshReplayGraceSeconds * SECOND;
  if (!isFirstUse && isLate) return { replayed: known };
  const refreshToken = deps.tokens.successorOf(token);
  // Six tabs that refresh at once get the same next token: there is one chain, and its next replay is detected.
  if (isFirstUse) {
    sessionRepo.insertRefreshToken(tx, { hash: hashSecret(refreshToken), sid: known.sid, createdAt: now });
    sessionRepo.touchSession(tx, known.sid, now);
  }
  return { caller, refreshToken };
}

/** The session of a refresh token, whatever its status. */
export function findSessionOf({ db }: Deps, refreshToken: string) {
  return sessionRepo.findRefreshToken(db, hashSecret(refreshToken));
}

/** Lasts ten minutes, or what is left of the session. */
function accessToken({ clock, tokens }: Deps, caller: Caller): string {
  const latest = Math.min(clock.now() + LIMITS.accessTokenSeconds * SECOND, caller.sessionExpiresAt);
  const { suid, orgCode, roleCode, zid, sid } = caller;
  return tokens.sign({ suid, orgCode, roleCode, zid, sid, expiresAt: Math.floor(latest / SECOND) * SECOND });
}
