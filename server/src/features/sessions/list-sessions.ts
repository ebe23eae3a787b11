import { browserRepo, type memberRepo, organisationRepo, sessionListRepo } from '@orchestrate/db';
import type { contract, ReplyOf } from '@orchestrate/shared';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { rememberedBrowserLifetimeMs } from '#core/sign-in/remember-browser.ts';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { isoOf } from '#platform/times.ts';

/** Maximum number of sign-ins in the list, latest first. */
const LISTED_MAX = 100;

/**
 * Returns a member's sign-ins.
 * @throws Refusal INVALID_PERMISSIONS if the member has permissions that the user lacks
 */
export function signInsOf(
  { db, clock }: Deps,
  caller: Caller,
  member: memberRepo.MemberRow,
): Omit<ReplyOf<typeof contract.listSessions>, 'resultCode'> {
  requireAuthorityOver(db, caller, member);
  const { orgCode, suid } = member;
  const now = clock.now();
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  const remembered = organisation ? rememberedBrowserLifetimeMs(organisation) : 0;
  const within = { now, count: LISTED_MAX };
  return {
    sessions: sessionListRepo.listSessions(db, orgCode, suid, within).map(({ session, deviceName }) => ({
      id: session.sid,
      userAgent: session.userAgent,
      ip: session.ip,
      mode: session.mode,
      deviceName: deviceName ?? '',
      createdAt: isoOf(session.createdAt),
      lastUsedAt: isoOf(session.lastUsedAt ?? session.createdAt),
      expiresAt: isoOf(session.expiresAt),
      isThis: session.sid === caller.sid,
    })),
    applications: sessionListRepo.listAppSessions(db, orgCode, suid, within).map(({ id, appName, ...row }) => ({
      id,
      appName,
      deviceName: row.deviceName ?? '',
      expiresAt: isoOf(row.expiresAt),
    })),
    browsers: browserRepo
      .listBrowsers(db, orgCode, suid)
      .filter(({ createdAt }) => createdAt + remembered > now)
      .map(({ id, userAgent, ip, createdAt, lastUsedAt }) => ({
        id,
        userAgent,
        ip,
        createdAt: isoOf(createdAt),
        lastUsedAt: isoOf(lastUsedAt),
      })),
  };
}
