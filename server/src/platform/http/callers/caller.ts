import { type Db, sessionRepo } from '@orchestrate/db';
import { MANAGER_PERMISSIONS, type Permission } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../adapters/clock.ts';
import { Refusal } from '../../refusal.ts';
import { requireAllowedIp } from './allowed-ip.ts';
import type { Tokens } from './tokens.ts';

/** A caller with current data from the database, rather than the data from when the token was issued. */
export interface Caller {
  suid: string;
  orgCode: string;
  /** ID of the device used for this sign-in. */
  zid: string;
  sid: string;
  /** Sign-in method, e.g. `QID`. */
  mode: string;
  roleCode: string;
  roleName: string;
  isManager: boolean;
  allowReporteeSearch: boolean;
  /** The role's permissions, plus manager permissions if the organisation grants them (contract §6). */
  permissions: readonly Permission[];
  /** IP addresses and ranges that the organisation allows. */
  allowedIps: readonly string[];
  /** Latest possible expiry of the session, in milliseconds since the epoch. */
  sessionExpiresAt: number;
  member: sessionRepo.LiveSession['member'];
}

/** Cache of callers by session row. A row stays the same object until the session changes in the database. */
export type CallerCache = WeakMap<sessionRepo.LiveSession, Caller>;

/** Dependencies of these functions. They can't use `Deps`, because `Deps` contains the cache. */
interface Sessions {
  db: Db;
  clock: Pick<Clock, 'now'>;
  callers: CallerCache;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in caller; null until the caller has been determined. */
    caller: Caller | null;
  }
}

export function decoratePrincipal(app: FastifyInstance): void {
  app.decorateRequest('caller', null);
}

/** Maximum token length, in characters. The portal's own tokens have about 500. */
const TOKEN_MAX_LENGTH = 2_048;

/**
 * Returns the caller that an access token identifies.
 * @param ip the caller's address; undefined to skip the check, e.g. for sign-out
 * @throws Refusal UNAUTHORIZED for a missing, invalid or expired token; INVALID_SESSION if the session has ended;
 * IP_NOT_VALID for an address that the organisation doesn't allow
 */
export async function requireCaller(
  deps: Sessions & { tokens: Tokens },
  token: string | undefined,
  ip: string | undefined,
): Promise<Caller> {
  if (!token || token.length > TOKEN_MAX_LENGTH) throw new Refusal('UNAUTHORIZED');
  const claims = deps.tokens.recall(token) ?? (await deps.tokens.verify(token));
  if (!claims) throw new Refusal('UNAUTHORIZED');
  const caller = findCaller(deps, claims);
  if (!caller) throw new Refusal('INVALID_SESSION');
  if (ip !== undefined) requireAllowedIp(ip, caller);
  return caller;
}

/** Returns the caller of a session, or undefined if the session isn't active. */
export function findCaller(deps: Sessions, { orgCode, sid }: { orgCode: string; sid: string }): Caller | undefined {
  const session = sessionRepo.findLiveSession(deps.db, orgCode, sid, deps.clock.now());
  if (!session) return undefined;
  const known = deps.callers.get(session);
  if (known) return known;
  const caller = callerOf(session);
  deps.callers.set(session, caller);
  return caller;
}

/**
 * Returns true if a session is active. Use this instead of `findCaller` in long-running work that alternates writes
 * and checks, because V8 would retain every caller until its next full collection.
 */
export const isSessionActive = (
  deps: Pick<Sessions, 'db' | 'clock'>,
  { orgCode, sid }: Pick<Caller, 'orgCode' | 'sid'>,
): boolean => sessionRepo.findLiveSession(deps.db, orgCode, sid, deps.clock.now()) !== undefined;

function callerOf(session: sessionRepo.LiveSession): Caller {
  const { member, allowReporteeSearch } = session;
  return {
    suid: member.suid,
    orgCode: member.orgCode,
    zid: session.zid,
    sid: session.sid,
    mode: session.mode,
    roleCode: member.roleCode,
    roleName: session.roleName,
    isManager: member.isManager,
    allowReporteeSearch,
    allowedIps: session.allowedIps,
    permissions: effectivePermissions(session),
    sessionExpiresAt: session.expiresAt,
    member,
  };
}

/** Returns the role's permissions, plus manager permissions if the organisation grants them (contract §6). */
export function effectivePermissions({
  member,
  permissions,
  allowReporteeSearch,
}: Pick<sessionRepo.LiveSession, 'member' | 'permissions' | 'allowReporteeSearch'>): readonly Permission[] {
  const isReportingManager = member.isManager && allowReporteeSearch;
  return isReportingManager ? [...new Set([...permissions, ...MANAGER_PERMISSIONS])] : permissions;
}

/** Returns the token from an `Authorization: Bearer …` header (RFC 6750 §2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme, token, ...rest] = (authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}
