import { type Db, sessionRepo } from '@orchestrate/db';
import { MANAGER_PERMISSIONS, type Permission } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../adapters/clock.ts';
import { Refusal } from '../../refusal.ts';
import { requireAllowedIp } from './allowed-ip.ts';
import type { Tokens } from './tokens.ts';

/** A caller with the current data from the database, not that of when the token was issued. */
export interface Caller {
  suid: string;
  orgCode: string;
  /** The device of this sign-in. */
  zid: string;
  sid: string;
  /** Sign-in method, e.g. `QID`. */
  mode: string;
  roleCode: string;
  roleName: string;
  isManager: boolean;
  allowReporteeSearch: boolean;
  /** The role's permissions, plus those of managers if the organisation allows it (contract §6). */
  permissions: readonly Permission[];
  /** The organisation's allowed addresses. */
  allowedIps: readonly string[];
  /** Latest end of the session, in milliseconds since the epoch. */
  sessionExpiresAt: number;
  member: sessionRepo.LiveSession['member'];
}

/** Cache of callers by session row, which stays the same object until a write. */
export type CallerCache = WeakMap<sessionRepo.LiveSession, Caller>;

/** The dependencies of this file, which can't import `Deps` because that contains the cache. */
interface Sessions {
  db: Db;
  clock: Pick<Clock, 'now'>;
  callers: CallerCache;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in caller, once it was determined. */
    caller: Caller | null;
  }
}

export function decoratePrincipal(app: FastifyInstance): void {
  app.decorateRequest('caller', null);
}

/** Maximum length of a token; the portal's own have about 500 characters. */
const TOKEN_MAX_LENGTH = 2_048;

/**
 * Returns the caller of an access token.
 * @param ip the caller's address; undefined to skip the check, e.g. for signing out
 * @throws Refusal UNAUTHORIZED for a missing, invalid or expired token; INVALID_SESSION if the session has ended;
 * IP_NOT_VALID from an address that the organisation doesn't allow
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

/** Returns the caller of a session if it is active. */
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
 * Returns true if a session is active. Use it for long work that writes and checks repeatedly: V8 would keep the result
 * of each `findCaller` until its next full collection.
 */
export const mayAct = (
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

/** Returns the role's permissions, plus those of managers if the organisation allows it (contract §6). */
export function effectivePermissions({
  member,
  permissions,
  allowReporteeSearch,
}: Pick<sessionRepo.LiveSession, 'member' | 'permissions' | 'allowReporteeSearch'>): readonly Permission[] {
  const isReportingManager = member.isManager && allowReporteeSearch;
  return isReportingManager ? [...new Set([...permissions, ...MANAGER_PERMISSIONS])] : permissions;
}

/** Returns the token of an `Authorization: Bearer …` header (RFC 6750 §2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme, token, ...rest] = (authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}
