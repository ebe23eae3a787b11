import { setImmediate } from 'node:timers/promises';
import { browserRepo, logoutRepo, memberFilterRepo, memberRepo, roleRepo } from '@orchestrate/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { POST_BINDING, REDIRECT_BINDING } from '#core/saml-metadata/xml.ts';
import { clearBrowserCookie } from '#core/sign-in/browser-cookie.ts';
import { browserOf, identifyBrowser } from '#core/sign-in/browser-id.ts';
import { beginLogout, endsNoOtherSignIn } from '#core/sign-in/logouts.ts';
import type { Deps } from '#deps.ts';
import { sendRedirect } from '#platform/http/answers/send-json.ts';
import { acceptMessage } from './accept-message.ts';
import { requireSamlApplication, type SamlApplication } from './find-saml-application.ts';
import { postedFields, sendPostedForm, sendSignedOut } from './pages.ts';
import type { NamedSubject, SamlMessage } from './parse-message.ts';
import type { ReceivedMessage } from './receive-message.ts';
import { isSessionIndexOf, pairwiseIdOf, samlId } from './saml-ids.ts';
import { type SamlStatus, STATUS } from './saml-problem.ts';
import { identifiesMember, isPairwise } from './saml-subject.ts';
import type { ApplicationPath } from './sign-in.ts';
import { isForeignSubject, planUnsolicitedSignIn, schemaViolation } from './sign-in-request.ts';
import { signMessage, signRedirect } from './sign-response.ts';
import { writeLogoutResponse } from './write-response.ts';

/** Number of members to read before other requests are served. */
const SLICE = 2_000;

/**
 * Finds the member that an application names by name ID or email address. A templated name ID is found only if it
 * equals a field that identifies a member.
 */
async function findNamedMember(
  deps: Deps,
  found: SamlApplication,
  { nameId, format }: Pick<NamedSubject, 'nameId' | 'format'>,
): Promise<memberRepo.MemberRow | undefined> {
  const { db } = deps;
  const { application, organisation, provider } = found;
  const { orgCode } = application;
  const usualFormat = planUnsolicitedSignIn(found).request.nameIdFormat;
  const candidates = [
    memberRepo.findMemberByEmail(db, orgCode, nameId.toLowerCase()),
    memberRepo.findMember(db, orgCode, nameId),
    memberRepo.findMemberByPrimaryAttr(db, orgCode, nameId),
  ];
  const named = candidates.find((member) => {
    if (!member || member.accountStatus === 'deleted') return false;
    const role = roleRepo.findRole(db, orgCode, member.roleCode);
    return identifiesMember({ deps, member, role, organisation, provider }, { nameId, format }, usualFormat);
  });
  if (named || !isPairwise(provider, format || usualFormat)) return named;
  return findByPseudonym(deps, found, nameId);
}

/** Searches all members, because pseudonyms are derived from them instead of stored. */
async function findByPseudonym(
  deps: Deps,
  { application, organisation }: SamlApplication,
  nameId: string,
): Promise<memberRepo.MemberRow | undefined> {
  const { db } = deps;
  const find = memberFilterRepo.memberFinder(db, {});
  const { after, upTo } = memberFilterRepo.memberIdSlice(db, organisation);
  for (let start = after; start < upTo; start += SLICE) {
    if (start > after) await setImmediate();
    const ids = find({ after: start, upTo: Math.min(start + SLICE, upTo) }).map(({ id }) => id);
    const members = memberFilterRepo.listMembersByIds(db, organisation, ids);
    const named = members.find(({ suid }) => pairwiseIdOf(deps, application, suid) === nameId);
    if (named) return named;
  }
  return undefined;
}

type LogoutRequest = Pick<FastifyRequest, 'method' | 'headers'> & { params: ApplicationPath };

/**
 * Answers a single logout that an application started (SAML 2.0 profiles §4.4), and forgets the browser.
 * @throws SamlProblem
 */
export async function signOut(
  deps: Deps,
  { method, headers, params: { orgCode, appId } }: LogoutRequest,
  reply: FastifyReply,
  received: ReceivedMessage,
): Promise<FastifyReply> {
  const found = await requireSamlApplication(deps, orgCode, appId);
  const isSigned = found.peer.certificates.length > 0;
  const message = await acceptMessage(deps, found, received, {
    kind: 'LogoutRequest',
    address: found.addresses.singleLogoutUrl,
    mustBeSigned: isSigned,
  });
  const { sessions, status } = await resolveSessions(deps, found, message, isSigned);
  if (status.code === STATUS.success) {
    reply.header('set-cookie', clearBrowserCookie(deps, orgCode));
    const startedBy = startingBrowser(deps, { method, headers }, reply);
    const next = resumeLogout(deps, found, sessions, message, { ...received, startedBy });
    if (next !== undefined) return sendRedirect(deps, reply, next);
  }
  const { binding, relayState } = received;
  const inResponseTo = message.attributes.get('ID') ?? '';
  return answerLogout(deps, reply, found, { inResponseTo, binding, relayState, status });
}

const UNKNOWN_PRINCIPAL: SamlStatus = { code: STATUS.requester, detail: STATUS.unknownPrincipal };

/** The sign-ins that a logout ends, and the response status. */
interface Resolved {
  sessions: logoutRepo.SamlSessionRow[];
  status: SamlStatus;
}

/**
 * Finds the sign-ins that a request identifies: a single user's sign-ins at this application. The status is a success
 * even if they have already ended, because logouts can be repeated.
 * @param isSigned false for an application without a key, which must prove its identity with a SessionIndex
 */
async function resolveSessions(
  deps: Deps,
  found: SamlApplication,
  { sessionIndexes, subject, schemaProblem }: SamlMessage,
  isSigned: boolean,
): Promise<Resolved> {
  const { orgCode, appId } = found.application;
  const refused = (status: SamlStatus): Resolved => ({ sessions: [], status });
  if (schemaProblem !== undefined) return refused(schemaViolation(schemaProblem));
  if (!subject || isForeignSubject(subject, found.peer.entityId, found.addresses.entityId))
    return refused(UNKNOWN_PRINCIPAL);
  if (!isSigned && sessionIndexes.length === 0) return refused(UNKNOWN_PRINCIPAL);
  const status: SamlStatus = { code: STATUS.success };
  const { nameId } = subject;
  const list = (whose: { nameId: string } | { suid: string }) =>
    logoutRepo.listSamlSessionsOf(deps.db, { orgCode, appId, sessionIndexes, ...whose });
  const named = list({ nameId });
  // Several users can have the same templated name ID, so it only identifies the user with the newest sign-in.
  if (named.length > 0) return { sessions: named.filter(({ suid }) => suid === named[0]?.suid), status };
  if (sessionIndexes.some((index) => isSessionIndexOf(deps, { orgCode, appId, nameId }, index))) return refused(status);
  const member = isSigned ? await findNamedMember(deps, found, subject) : undefined;
  if (!member) return refused(UNKNOWN_PRINCIPAL);
  // The user may be signed in under another name, such as a pseudonym.
  const sessions = list({ suid: member.suid });
  return sessions.length === 0 && sessionIndexes.length > 0
    ? refused({ code: STATUS.requester })
    : { sessions, status };
}

/**
 * Returns the current browser. If a cross-site form sent no cookie, only browsers whose sign-ins end can continue the
 * logout.
 */
function startingBrowser(
  deps: Deps,
  { method, headers }: Omit<LogoutRequest, 'params'>,
  reply: FastifyReply,
): string | undefined {
  if (method === 'POST') return browserOf(deps, headers.cookie);
  const { browser, cookie } = identifyBrowser(deps, headers.cookie);
  reply.header('set-cookie', cookie);
  return browser;
}

/**
 * Ends these sign-ins at the application, forgets their browsers, and starts ending all other sign-ins in those
 * browsers.
 * @returns the page that continues the logout, or undefined if there are no other sign-ins
 */
function resumeLogout(
  deps: Deps,
  { application: { orgCode, appId } }: SamlApplication,
  sessions: readonly logoutRepo.SamlSessionRow[],
  { attributes }: SamlMessage,
  { binding, relayState, startedBy }: ReceivedMessage & { startedBy: string | undefined },
): string | undefined {
  const { db } = deps;
  const suid = sessions[0]?.suid ?? '';
  const browsers = [...new Set(sessions.flatMap((session) => session.browser ?? []))];
  db.transaction((tx) => {
    for (const session of sessions) logoutRepo.endRelatedSamlSessions(tx, session);
    browserRepo.revokeBrowsersOfSignIns(tx, orgCode, { suid, browsers }, deps.clock.now());
  });
  const [browser, ...otherBrowsers] = browsers.filter(
    (one) => !endsNoOtherSignIn(deps, { orgCode, suid, browser: one }, appId),
  );
  if (browser === undefined) return undefined;
  const inResponseTo = attributes.get('ID') ?? '';
  return beginLogout(deps, {
    orgCode,
    suid,
    browser,
    otherBrowsers,
    startedBy,
    begunBy: appId,
    goesTo: { kind: 'saml', appId, inResponseTo, binding, relayState },
  });
}

interface Outcome extends Pick<ReceivedMessage, 'binding' | 'relayState'> {
  inResponseTo: string;
  status: SamlStatus;
}

/** Responds with the same binding as the request, or with any binding that the application supports. */
export async function answerLogout(
  deps: Deps,
  reply: FastifyReply,
  { application, peer, addresses, provider }: SamlApplication,
  { inResponseTo, binding, relayState, status }: Outcome,
): Promise<FastifyReply> {
  const service = logoutServiceOf(
    peer,
    binding === 'post' ? [POST_BINDING, REDIRECT_BINDING] : [REDIRECT_BINDING, POST_BINDING],
  );
  if (!service) return sendSignedOut(deps, reply);
  const [key] = await idpKeys(deps, application.orgCode);
  const facts = { id: samlId(deps), now: deps.clock.toExternalTime(), issuer: addresses.entityId, inResponseTo };
  const xml = writeLogoutResponse({ ...facts, destination: service.responseLocation }, status);
  if (service.binding === REDIRECT_BINDING) {
    return sendRedirect(deps, reply, await signRedirect(service.responseLocation, { xml, relayState }, key));
  }
  const signed = signMessage(xml, 'LogoutResponse', key);
  const fields = postedFields('SAMLResponse', signed, relayState);
  return sendPostedForm(deps, reply, { action: service.responseLocation, fields, next: [provider.redirectUrl] });
}

/** Returns an application's logout endpoint with the first supported binding. */
export const logoutServiceOf = ({ logoutServices }: SamlApplication['peer'], bindings: readonly string[]) =>
  bindings.flatMap((binding) => logoutServices.find((service) => service.binding === binding) ?? [])[0];
