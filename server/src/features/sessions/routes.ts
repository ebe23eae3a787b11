import {
  browserRepo,
  deviceRepo,
  memberRepo,
  oidcModelRepo,
  organisationRepo,
  sessionListRepo,
  sessionRepo,
  signInOriginRepo,
  type Tx,
} from '@orchestrate/db';
import { contract, fullNameOf, type ReplyOf } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { alertAdministrators } from '#core/audit/alert-administrators.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { clearBrowserCookie, readBrowserCookie } from '#core/sign-in/browser-cookie.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { beginLogout, endsNoOtherSignIn } from '#core/sign-in/logouts.ts';
import { profileOf } from '#core/sign-in/profile-of.ts';
import { rememberedBrowserLifetimeMs } from '#core/sign-in/remember-browser.ts';
import {
  endSessions,
  findSessionByRefreshToken,
  publishEndedSessions,
  refreshSession,
} from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { endSignIn } from './end-sign-in.ts';

type Record = NonNullable<ReturnType<typeof sessionListRepo.disownSignIn>>['record'];

/**
 * Handles a member's report that someone else signed in as them. Ends all sessions that the same device or external
 * provider has started since then, because the sign-in record doesn't identify its session and an intruder may have
 * moved on to other sessions. The member stays signed in to take the remaining steps. A repeated report ends later
 * sign-ins and returns the steps again.
 * @throws Refusal AUTH_HISTORY_MISSING if the record isn't one of the member's
 */
function disownLogin(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  id: string,
): Omit<ReplyOf<typeof contract.disownLogin>, 'resultCode'> {
  const { orgCode, suid } = caller;
  const { sessions, browsers, record } = deps.db.transaction((tx) => {
    const now = deps.clock.now();
    const found = sessionListRepo.disownSignIn(tx, orgCode, { id, suid, now });
    if (!found) throw new Refusal('AUTH_HISTORY_MISSING');
    const { zid, timestamp: since } = found.record;
    const browsers = signInOriginRepo.listDeviceBrowsers(tx, orgCode, { suid, zid, since, exceptSid: caller.sid });
    signInOriginRepo.forgetBrowsers(tx, { orgCode, suid, browsers });
    const ended = sessionListRepo.revokeSignInsSince(tx, orgCode, { suid, zid, since, exceptSid: caller.sid, now });
    if (zid !== null) oidcModelRepo.endAppSignIns(tx, orgCode, { zid }, now);
    notifyAdministrators(deps, tx, { caller, actor }, found.record, ended.sessions.length + ended.browsers);
    return { ...ended, record: found.record };
  });
  publishEndedSessions(deps, sessions);
  deps.bus.changed(TOPIC.outbox);
  return { ended: sessions.length + browsers, device: deviceOf(deps, caller, record) };
}

function notifyAdministrators(
  deps: Deps,
  tx: Tx,
  { caller: { suid, member }, actor }: { caller: Caller; actor: AuditActor },
  { id, ip, deviceName, appName, timestamp }: Record,
  ended: number,
): void {
  const name = fullNameOf(member);
  alertAdministrators(deps, tx, actor, {
    action: 'sign-in.disowned',
    object: { type: 'sign-in', id, name: `${appName} from ${ip}`, suid },
    after: { at: isoOf(timestamp), ip, device: deviceName, ended },
    texts: {
      en: {
        subject: `${name} reported a sign-in`,
        what: `${name} reports that someone else signed in to ${appName} as them.`,
        details: [
          ['Time', isoOf(timestamp)],
          ['Address', ip],
          ['Approved on', deviceName],
        ],
        advice: `We ended the sessions it started. Check ${name}'s devices and recent sign-ins, and talk to them.`,
      },
      de: {
        subject: `${name} hat eine Anmeldung gemeldet`,
        what: `${name} gibt an, dass sich jemand anderes bei ${appName} angemeldet hat.`,
        details: [
          ['Zeit', isoOf(timestamp)],
          ['Adresse', ip],
          ['Bestätigt auf', deviceName],
        ],
        advice: `Die damit gestarteten Sitzungen wurden beendet. Prüfen Sie die Geräte und letzten Anmeldungen von ${name}, und sprechen Sie miteinander.`,
      },
    },
  });
}

/** Returns the device that approved the sign-in, if it can still be paused or removed. */
function deviceOf({ db }: Deps, caller: Caller, { zid }: Record): ReplyOf<typeof contract.disownLogin>['device'] {
  const device = zid === null ? undefined : deviceRepo.findDevice(db, caller.orgCode, zid);
  if (!device || device.suid !== caller.suid) return null;
  const { status, type } = device;
  if (status !== 'active' && status !== 'paused') return null;
  return {
    zid: device.zid,
    name: device.nickName || device.name,
    type,
    status,
    isThisSignIn: device.zid === caller.zid,
  };
}

/**
 * After a portal logout, starts signing out of the applications in the same browser if the organisation has enabled
 * it.
 * @returns URL of the page that continues the logout, or undefined if there is nothing to sign out of
 */
function logoutTogether(deps: Deps, { orgCode, suid, sid }: Caller, startedBy: string | undefined): string | undefined {
  const browser = sessionRepo.findSessionBrowser(deps.db, orgCode, sid);
  if (!browser || !organisationRepo.findOrganisation(deps.db, orgCode)?.logoutTogether) return undefined;
  const where = { orgCode, browser, suid };
  if (endsNoOtherSignIn(deps, where, '')) return undefined;
  return beginLogout(deps, { ...where, startedBy, begunBy: '', goesTo: { kind: 'none' } });
}

/** Maximum number of sign-ins in the list, latest first. */
const LISTED_MAX = 100;

/**
 * Returns a member's sign-ins.
 * @throws Refusal INVALID_PERMISSIONS if the member has permissions that the user lacks
 */
function signInsOf(
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

/** Serves the session and profile. Sign-in itself has its own routes. */
export function session(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.refresh, ({ body, ip }) => refreshSession(deps, body.refreshToken, ip));

  implement(app, deps, contract.logout, ({ caller, body, cookie, setCookie }) => {
    endSessions(deps, caller.orgCode, { sid: caller.sid });
    const named = body.refreshToken ? findSessionByRefreshToken(deps, body.refreshToken) : undefined;
    if (named?.suid === caller.suid) endSessions(deps, caller.orgCode, { sid: named.sid });
    // Forget the browser, so that its next user has to sign in.
    const browser = readBrowserCookie(deps, cookie, caller.orgCode);
    if (browser) {
      browserRepo.revokeBrowser(deps.db, caller.orgCode, { id: browser.id, suid: caller.suid }, deps.clock.now());
      setCookie(clearBrowserCookie(deps, caller.orgCode));
    }
    return { continueAt: logoutTogether(deps, caller, browserOf(deps, cookie)) };
  });

  implement(app, deps, contract.listSessions, ({ caller, target }) => signInsOf(deps, caller, target));

  implement(app, deps, contract.endSession, ({ caller, actor, target, body: { what, id = '' } }) => ({
    ended: endSignIn(deps, { caller, actor }, target, { what, id }),
  }));

  implement(app, deps, contract.disownLogin, ({ caller, actor, body }) =>
    disownLogin(deps, { caller, actor }, body.id),
  );

  implement(app, deps, contract.getProfile, ({ caller }) => ({ profile: profileOf(caller) }));

  implement(app, deps, contract.setLanguage, ({ caller, body: { language } }) => {
    memberRepo.setLanguage(deps.db, caller.orgCode, caller.suid, language);
    return { profile: { ...profileOf(caller), language } };
  });

  app.get('/.well-known/jwks.json', (_request, reply) =>
    // The keys are public, so any program and any website can read them.
    reply
      .headers({ 'cache-control': 'public, max-age=300', 'cross-origin-resource-policy': 'cross-origin' })
      .send(deps.tokens.jwks),
  );
}
