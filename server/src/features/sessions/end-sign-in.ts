import {
  browserRepo,
  memberRepo,
  oidcModelRepo,
  organisationRepo,
  sessionListRepo,
  sessionRepo,
  type Tx,
} from '@orchestrate/db';
import { browserName } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { endAppsInBrowser } from '#core/sign-in/close-oidc-session.ts';
import { publishEndedSessions } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';

/** What to end: a single sign-in by ID, or everything except the current session. */
export interface EndSignInCommand {
  what: 'session' | 'application' | 'browser' | 'all';
  id: string;
}

interface Ending extends EndSignInCommand {
  member: memberRepo.MemberRow;
  /** ID of the current session, which stays active. */
  exceptSid: string;
}

/**
 * Ends one or all of a member's sign-ins.
 * @returns the number of ended portal sessions
 * @throws Refusal INVALID_PERMISSIONS if the member has permissions that the user lacks; ID_DOESNOT_EXIST if the
 * member has no such sign-in
 */
export function endSignIn(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  { orgCode, suid }: memberRepo.MemberRow,
  command: EndSignInCommand,
): number {
  const ended = deps.db.transaction((tx) => {
    const member = memberRepo.findMember(tx, orgCode, suid);
    if (!member) throw new Refusal('ID_DOESNOT_EXIST');
    requireAuthorityOver(tx, caller, member);
    const ending = { ...command, member, exceptSid: caller.sid };
    return command.what === 'all' ? endAll(deps, tx, actor, ending) : endOne(deps, tx, actor, ending);
  });
  publishEndedSessions(deps, ended);
  return ended.length;
}

/** Ends all other sessions, the remembered browsers and the application sign-ins that depend on them. */
function endAll(deps: Deps, tx: Tx, actor: AuditActor, { member, exceptSid }: Ending): string[] {
  const { orgCode, suid } = member;
  const now = deps.clock.now();
  const sessions = sessionListRepo.revokeOtherSessions(tx, orgCode, { suid, exceptSid, now });
  const browsers = browserRepo.revokeBrowsers(tx, orgCode, { suid }, now);
  oidcModelRepo.endAppSignIns(tx, orgCode, { suid }, now);
  const object = { type: 'session' as const, id: suid, name: 'Everywhere', suid };
  record(deps, tx, actor, { action: 'session.ended', object, after: { sessions: sessions.length, browsers } });
  return sessions;
}

function endOne(deps: Deps, tx: Tx, actor: AuditActor, { what, id, member }: Ending): string[] {
  const { orgCode, suid } = member;
  const now = deps.clock.now();
  if (what === 'browser') {
    const browser = browserRepo.findBrowser(tx, orgCode, id);
    if (!browser || !browserRepo.revokeBrowser(tx, orgCode, { id, suid }, now)) throw new Refusal('ID_DOESNOT_EXIST');
    const object = { type: 'browser' as const, id, name: browserName(browser), suid };
    record(deps, tx, actor, { action: 'browser.forgotten', object, before: { ip: browser.ip } });
    return [];
  }
  if (what === 'application') {
    const grant = sessionListRepo.endAppSession(tx, orgCode, { id, suid, now });
    if (!grant) throw new Refusal('ID_DOESNOT_EXIST');
    const object = { type: 'session' as const, id, name: grant.appName, suid };
    record(deps, tx, actor, { action: 'session.ended', object });
    return [];
  }
  const session = sessionListRepo.findOwnSession(tx, orgCode, { sid: id, suid });
  const ended = session ? sessionRepo.revokeSessions(tx, orgCode, { sid: id }, now) : [];
  if (!session || ended.length === 0) throw new Refusal('ID_DOESNOT_EXIST');
  const { browser } = session;
  if (browser && organisationRepo.findOrganisation(tx, orgCode)?.logoutTogether)
    endAppsInBrowser(tx, { orgCode, suid, browser }, now);
  const object = { type: 'session' as const, id, name: browserName(session), suid };
  record(deps, tx, actor, { action: 'session.ended', object, before: { ip: session.ip, mode: session.mode } });
  return ended;
}
