import { type Db, sessionRepo } from '@orchestrate/db';
import { MANAGER_PERMISSIONS, type Permission } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../adapters/clock.ts';
import { Refusal } from '../../refusal.ts';
import { requireAllowedIp } from './allowed-ip.ts';
import type { Tokens } from './tokens.ts';

/** The caller as the database has them now: the roles and permissions from when the token was issued do not count. */
export interface Caller {
  suid: string;
  orgCode: string;
  /** The device of this sign-in. */
  zid: string;
  sid: string;
  /** How this sign-in was made, e.g. `QID`. */
  mode: string;
  roleCode: string;
  roleName: string;
  isManager: boolean;
  allowReporteeSearch: boolean;
  /** The role's permissions, plus a manager's where the organisation allows it (contract §6). */
  permissions: readonly Permission[];
  /** The addresses from which the organisation lets people in. */
  allowedIps: readonly string[];
  /** When the session ends at the latest, in milliseconds since the epoch. */
  sessionExpiresAt: number;
  member: sessionRepo.LiveSession['member'];
}

/** Callers by their stored session row, which is the same object until something is written. */
export type CallerCache = WeakMap<sessionRepo.LiveSession, Caller>;

/** The part of `Deps` that this file needs: it cannot import `Deps`, which has the cache. */
interface Sessions {
  db: Db;
  clock: Pick<Clock, 'now'>;
  callers: CallerCache;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, once that has been asked. */
    caller: Caller | null;
  }
}

export function decoratePrincipal(app: FastifyInstance): void {
  app.decorateRequest('caller', null);
}

/** Limits what is looked up and remembered: our own tokens have about 500 characters. */
const TOKEN_MAX_LENGTH = 2_048;

/**
 * The person behind an access token.
 * @param ip from where it is asked; undefined where that does not count: everybody may sign out from anywhere
 * @throws Refusal UNAUTHORIZED for no, a bad or an expired token; INVALID_SESSION once the session has ended;
 * IP_NOT_VALID from an address that the organisation does not allow
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

/** The person of a session, if it may act now. */
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
 * Whether a session may act now: for work that writes, and asks again and again. V8 would keep the caller of each time
 * until its next full collection.
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

/** A member's permissions: those of the role, plus a manager's where the organisation allows it (contract §6). */
export function effectivePermissions({
  member,
  permissions,
  allowReporteeSearch,
}: Pick<sessionRepo.LiveSession, 'member' | 'permissions' | 'allowReporteeSearch'>): readonly Permission[] {
  const isReportingManager = member.isManager && allowReporteeSearch;
  return isReportingManager ? [...new Set([...permissions, ...MANAGER_PERMISSIONS])] : permissions;
}

/** The token of an `Authorization: Bearer …` header (RFC 6750 §2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme, token, ...rest] = (authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}
