import { browserRepo, type memberRepo, organisationRepo, sessionListRepo } from '@orchestrate/db';
import type { contract, ReplyOf } from '@orchestrate/shared';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { rememberedFor } from '#core/sign-in/remember-browser.ts';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { isoOf } from '#platform/times.ts';

/** More than anybody looks through; the latest come first. */
const LISTED_MAX = 100;

/**
 * Where a member is signed in.
 * @throws Refusal INVALID_PERMISSIONS the member may do what the caller may not
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
  const remembered = organisation ? rememberedFor(organisation) : 0;
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
