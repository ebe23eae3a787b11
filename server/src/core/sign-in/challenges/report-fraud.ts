import { challengeRepo, type memberRepo, type schema, signInOriginRepo, type Tx } from '@orchestrate/db';
import { fullNameOf, type Language, LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { type AuditActor, deviceActor } from '#platform/http/callers/actors.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { alertAdministrators } from '../../audit/alert-administrators.ts';
import { isSignIn } from '../login-policy.ts';
import { PORTAL_APP_NAME } from './settle.ts';

export interface FraudReport {
  /** The request that the member reported as fraud. */
  challenge: challengeRepo.ChallengeRow;
  member: memberRepo.MemberRow;
  actor: AuditActor;
}

/** A cancelled challenge that must be announced after the commit. */
export type EndedSignIn = Pick<challengeRepo.ChallengeRow, 'id' | 'suid'>;

/**
 * Handles "It wasn't me". Ends the requester's other sign-ins (same network, and same browser or member), stops
 * treating the browser as the member's own (decision 144), and notifies the administrators. Call it in the
 * transaction that stores the denial.
 */
export function reportFraud(deps: Deps, tx: Tx, { challenge, member, actor }: FraudReport): EndedSignIn[] {
  const ended = isSignIn(challenge) ? endSignInsOf(deps, tx, challenge, member.suid) : [];
  const { orgCode, suid } = member;
  if (isSignIn(challenge) && challenge.browser !== null) {
    signInOriginRepo.forgetBrowsers(tx, { orgCode, suid, browsers: [challenge.browser] });
  }
  const name = fullNameOf(member);
  const { requesterIp: address, requesterAgent: browser, requesterName } = challenge;
  alertAdministrators(deps, tx, deviceActor(actor, { orgCode, suid, name }), {
    action: 'fraud.reported',
    // Use a new ID, because the browser knows the request's ID and could look it up.
    object: { type: 'fraud', id: deps.random.id(), name: aimOf(challenge).en.aim, suid },
    after: {
      address,
      browser,
      requester: requesterName ?? undefined,
      mode: challenge.mode,
      endedSignIns: ended.length,
    },
    texts: alertTextsOf(challenge, member, ended.length),
  });
  return ended;
}

function alertTextsOf(
  challenge: challengeRepo.ChallengeRow,
  { firstName, lastName, primaryEmail }: memberRepo.MemberRow,
  ended: number,
): Record<Language, schema.SecurityAlertText> {
  const name = fullNameOf({ firstName, lastName });
  const { requesterIp: address, requesterAgent: browser, requesterName } = challenge;
  const { en, de } = aimOf(challenge);
  return {
    en: {
      subject: `${name} didn’t request ${en.noun}`,
      what: `${name} was asked to approve something and answered “It wasn’t me”. No one was signed in, and ${ended === 0 ? 'no other sign-in' : 'the other sign-ins'} of the same browser ${ended === 0 ? 'was waiting' : 'were ended'}.`,
      details: [
        ['Person', `${name}, ${primaryEmail}`],
        ['What', en.aim],
        ...(requesterName ? [['Requested by', requesterName] as const] : []),
        ['From', address],
        ['Browser', browser || 'unknown'],
      ],
      advice:
        'Ask the member what they saw. If someone else may have signed in as them, end their sessions. Under Manage Settings › Security, you can limit the addresses that members can sign in from.',
    },
    de: {
      subject: `${name} hat ${de.noun} nicht angefordert`,
      what: `${name} wurde um eine Bestätigung gebeten und hat mit „Das war ich nicht“ geantwortet. Niemand wurde angemeldet, und ${ended === 0 ? 'im selben Browser stand keine andere Anmeldung aus' : 'die anderen Anmeldungen im selben Browser wurden beendet'}.`,
      details: [
        ['Person', `${name}, ${primaryEmail}`],
        ['Was', de.aim],
        ...(requesterName ? [['Angefragt von', requesterName] as const] : []),
        ['Von', address],
        ['Browser', browser || 'unbekannt'],
      ],
      advice:
        'Fragen Sie das Mitglied, was es gesehen hat. Wenn sich jemand anderes unter seinem Namen angemeldet haben könnte, beenden Sie seine Sitzungen. Unter „Verwaltung › Sicherheit“ können Sie einschränken, von welchen Adressen aus sich Mitglieder anmelden dürfen.',
    },
  };
}

/** Describes the request in English and German, with a label and a noun phrase. */
function aimOf({ kind, statement, appName }: challengeRepo.ChallengeRow) {
  if (kind === 'verbal')
    return { en: { aim: 'A call', noun: 'a call' }, de: { aim: 'Ein Anruf', noun: 'einen Anruf' } };
  if (kind === 'approval') {
    return {
      en: { aim: `Approval of “${statement}”`, noun: 'an approval' },
      de: { aim: `Bestätigung von „${statement}“`, noun: 'eine Bestätigung' },
    };
  }
  const app = appName ?? PORTAL_APP_NAME;
  return {
    en: { aim: `A sign-in to ${app}`, noun: 'a sign-in' },
    de: { aim: `Eine Anmeldung bei ${app}`, noun: 'eine Anmeldung' },
  };
}

function endSignInsOf(
  { clock }: Deps,
  tx: Tx,
  { id: reported, orgCode, requesterIp, requesterAgent, browser }: challengeRepo.ChallengeRow,
  suid: string,
): EndedSignIn[] {
  const now = clock.now();
  const network = networkOf(requesterIp);
  return challengeRepo
    .listOpenSignIns(tx, orgCode, now - LIMITS.loginExchangeSeconds * SECOND)
    .filter((open) => open.id !== reported && networkOf(open.requesterIp) === network)
    .filter((open) => isSameBrowser(open, { requesterAgent, browser }) || open.suid === suid)
    .filter(({ id }) => challengeRepo.cancelSignIn(tx, orgCode, id, { resultCode: 'LOGIN_NO_CONSENT', now }));
}

type Browser = Pick<challengeRepo.ChallengeRow, 'requesterAgent' | 'browser'>;

/**
 * Compares cookies. Compares user agents only if neither browser sent a cookie, to avoid ending colleagues' sign-ins.
 */
const isSameBrowser = (one: Browser, other: Browser): boolean =>
  one.browser === other.browser && (one.browser !== null || one.requesterAgent === other.requesterAgent);
