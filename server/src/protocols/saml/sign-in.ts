import { deviceRepo, logoutRepo, memberRepo, roleRepo } from '@orchestrate/db';
import { type AssertionDamage, DAY } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayUseApplication } from '#core/applications.ts';
import { findEncryptionKey } from '#core/saml-metadata/encryption-key.ts';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import {
  type BrowserAppSignIn,
  claimAppSignIn,
  endAppSignIn,
  reportsStepUp,
  signInPath,
  startAppSignIn,
} from '#core/sign-in/app-logins/begin-app-login.ts';
import { clearHandOverCookie, completeHandOver, startHandOver } from '#core/sign-in/app-logins/hand-over.ts';
import { browserOf, identifyBrowser } from '#core/sign-in/browser-id.ts';
import { findActiveMember } from '#core/sign-in/find-member.ts';
import { isNewDevice } from '#core/sign-in/new-devices.ts';
import type { Deps } from '#deps.ts';
import { noAccessHtml } from '#platform/http/answers/plain-page.ts';
import { sendRedirect } from '#platform/http/answers/send-json.ts';
import { isFromAnotherSite } from '#platform/http/callers/browser.ts';
import { continuePath, samlPath, testSignInPath } from '#platform/own-addresses.ts';
import { later, portalTime } from '#platform/times.ts';
import { acceptMessage } from './accept-message.ts';
import { contextOf, STEP_UP } from './authn-context.ts';
import { requireSamlApplication, type SamlApplication } from './find-saml-application.ts';
import { type Explained, postedFields, sendExplanation, sendPostedForm } from './pages.ts';
import type { ReceivedMessage } from './receive-message.ts';
import { samlId, sessionIndexOf } from './saml-ids.ts';
import { SamlProblem, STATUS } from './saml-problem.ts';
import { identifiesMember, isPairwise, type SamlSubject, samlSubjectOf } from './saml-subject.ts';
import {
  NO_AUTHN_CONTEXT,
  NO_PASSIVE,
  planRequestedSignIn,
  planUnsolicitedSignIn,
  type SignInPlan,
  type SignInRequest,
  signInRequest,
} from './sign-in-request.ts';
import { signAndEncrypt, signMessage } from './sign-response.ts';
import { type AssertionFacts, writeAssertionResponse, writeStatusResponse } from './write-response.ts';

/** An entity ID that no real service provider has. */
const OTHER_PROVIDER = 'urn:example:another-service-provider';
const OTHER_ADDRESS = 'https://another-service-provider.example/acs';
const OTHER_REQUEST = '_a-request-that-nobody-sent';

/** Returns the assertion contents with the lab's tampering applied. */
function damagedFacts(facts: AssertionFacts, damage: AssertionDamage | undefined): AssertionFacts {
  switch (damage) {
    case 'expired':
      return { ...facts, now: later(facts.now, -DAY), authenticatedAt: later(facts.authenticatedAt, -DAY) };
    case 'wrong-audience':
      return { ...facts, audience: OTHER_PROVIDER };
    case 'wrong-recipient':
      return { ...facts, recipient: OTHER_ADDRESS };
    case 'wrong-in-response-to':
      return { ...facts, inResponseTo: OTHER_REQUEST };
    default:
      return facts;
  }
}

const SIGNATURE = /(<ds:SignatureValue>)([^<]*)/g;

/** Returns a signed response, with broken signatures if the lab requests this damage. */
const damagedSignatures = (signed: string, damage: AssertionDamage | undefined): string =>
  damage === 'bad-signature'
    ? signed.replace(SIGNATURE, (_, tag: string, value: string) => tag + otherThan(value))
    : signed;

/** Returns a different value of the same length. */
function otherThan(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
  return bytes.toString('base64');
}

export interface ApplicationPath {
  orgCode: string;
  appId: string;
}

/**
 * Redirects the browser to the sign-in page, or straight back if the application requests something unavailable.
 * @param received undefined for an IdP-initiated sign-in
 * @param unasked target or test of an IdP-initiated sign-in
 * @throws SamlProblem
 */
export async function beginSignIn(
  deps: Deps,
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  reply: FastifyReply,
  { orgCode, appId }: ApplicationPath,
  received: ReceivedMessage | undefined,
  { relayState = '', tryId = '' }: { relayState?: string; tryId?: string } = {},
): Promise<FastifyReply> {
  const found = await requireSamlApplication(deps, orgCode, appId);
  const { request, needsStepUp, refusal } = received
    ? await planOf(deps, found, received)
    : planUnsolicitedSignIn(found, relayState);
  if (refusal)
    return answer(deps, reply, found, request, writeStatusResponse(responseFacts(deps, found, request), refusal));
  const id = deps.random.id();
  // Cross-site forms send no cookie, even if the browser has one.
  const isUnknown = method === 'POST' && browserOf(deps, headers.cookie) === undefined;
  const { browser, cookie } = isUnknown ? startHandOver(deps, orgCode, id) : identifyBrowser(deps, headers.cookie);
  reply.header('set-cookie', cookie);
  const { path } = startAppSignIn(deps, {
    id,
    orgCode,
    appId,
    protocol: 'saml',
    loginHint: hintAt(deps, found, request),
    needsStepUp,
    request: JSON.stringify({ ...request, tryId }),
    browser,
    isFromAnotherSite: isFromAnotherSite(headers),
  });
  return sendRedirect(deps, reply, isUnknown ? handOverPath(orgCode, id) : pageOf(path, request));
}

/**
 * Returns the sign-in page's URL. For a passive request, the page tries a remembered browser's cookie and then
 * returns immediately.
 */
const pageOf = (path: string, { isPassive }: SignInRequest): string => (isPassive ? `${path}&passive=saml` : path);

const handOverPath = (orgCode: string, id: string): string => `${continuePath('saml', orgCode)}?id=${id}&start=yes`;

/** Continues a sign-in started by a cross-site form, now that the browser sends its cookie. @throws SamlProblem */
export function startSignIn(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, id, cookie }: { orgCode: string; id: string; cookie: string | undefined },
): FastifyReply {
  const { browser: to, cookie: identified } = identifyBrowser(deps, cookie);
  const row = completeHandOver(deps, cookie, { orgCode, id, to });
  if (!row) throw new SamlProblem(OVER);
  reply.header('set-cookie', [identified, clearHandOverCookie(deps, orgCode, id)]);
  return sendRedirect(deps, reply, pageOf(signInPath(deps, row), signInRequest.parse(JSON.parse(row.request))));
}

async function planOf(deps: Deps, found: SamlApplication, received: ReceivedMessage): Promise<SignInPlan> {
  const message = await acceptMessage(deps, found, received, {
    kind: 'AuthnRequest',
    address: found.addresses.singleSignOnUrl,
    mustBeSigned: found.peer.authnRequestsSigned,
  });
  return planRequestedSignIn(found, message, received.relayState);
}

/**
 * Returns the user that the application expects: an email address if it sent one of our name IDs, otherwise the name
 * ID as sent. Only unguessable IDs are looked up, because the page is public.
 */
function hintAt({ db }: Deps, { provider, application }: SamlApplication, request: SignInRequest): string {
  const { subject, nameIdFormat } = request;
  if (!subject) return '';
  const { nameId, format } = subject;
  const { orgCode, appId } = application;
  if (isPairwise(provider, format || nameIdFormat)) {
    const [latest] = logoutRepo.listSamlSessionsOf(db, { orgCode, appId, sessionIndexes: [], nameId });
    const known = latest && memberRepo.findMember(db, orgCode, latest.suid);
    if (known) return known.primaryEmail;
    // A pseudonym is meaningless to users.
    if (!nameId.includes('@')) return '';
  }
  const isSuid = provider.nameId === 'suid' && provider.nameIdTransformationTemplate === '';
  const known = isSuid ? memberRepo.findMember(db, orgCode, nameId) : undefined;
  return (known?.primaryEmail ?? nameId).slice(0, HINT_MAX_LENGTH);
}

/** Maximum length of the hint, in characters. Email addresses have at most 254; templated name IDs can be longer. */
const HINT_MAX_LENGTH = 320;

/** Sends the response to the application after the sign-in. @throws SamlProblem */
export async function finishSignIn(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, id, cookie }: { orgCode: string; id: string; cookie: string | undefined },
): Promise<FastifyReply> {
  const login = { id, browser: browserOf(deps, cookie) };
  const claimed = claimAppSignIn(deps, orgCode, login);
  if (!claimed) return finishPassive(deps, reply, orgCode, login);
  if (claimed.protocol !== 'saml') throw new SamlProblem(OVER);
  const found = await requireSamlApplication(deps, orgCode, claimed.appId);
  const request = restoreRequest(found, claimed.request);
  const facts = responseFacts(deps, found, request);
  const member = findActiveMember(deps.db, orgCode, claimed.suid);
  const device = deviceRepo.findDevice(deps.db, orgCode, claimed.zid);
  if (!member || device?.status !== 'active') {
    return answer(deps, reply, found, request, writeStatusResponse(facts, DENIED));
  }
  // A new device proves no more than the session in which it was added (decision 206).
  if (request.contextClass === STEP_UP && isNewDevice(device, deps.clock.now())) {
    return answer(deps, reply, found, request, writeStatusResponse(facts, NO_AUTHN_CONTEXT));
  }
  const { organisation, provider, peer } = found;
  const role = roleRepo.findRole(deps.db, orgCode, member.roleCode);
  const source = { deps, member, role, organisation, provider };
  if (request.subject && !identifiesMember(source, request.subject, request.nameIdFormat)) {
    return answer(deps, reply, found, request, writeStatusResponse(facts, OTHER_USER));
  }
  if (!mayUseApplication(deps.db, found.application, member)) {
    const xml = writeStatusResponse(facts, DENIED);
    const { name } = found.application;
    const shown: Explained = (t) => ({
      title: t(`You can't use ${name}`),
      body: noAccessHtml(t, name, member.primaryEmail),
    });
    // An application can't use an error response that it didn't request.
    if (request.inResponseTo === '' && request.tryId === '') return sendExplanation(deps, reply, shown);
    return answer(deps, reply, found, request, xml, { explained: request.isPassive ? undefined : shown });
  }
  const damage = await deps.tampering.ofAssertion({
    method: 'GET',
    path: continuePath('saml', orgCode),
    alsoBy: [`${samlPath(orgCode)}/${claimed.appId}/sso`],
    orgCode,
    suid: claimed.suid,
  });
  if (damage === 'denied') return answer(deps, reply, found, request, writeStatusResponse(facts, DENIED));
  const subject = samlSubjectOf(source, request.nameIdFormat, samlId(deps));
  const sessionIndex = sessionIndexOf(deps, { orgCode, appId: claimed.appId, nameId: subject.nameId }, id);
  const assertion = {
    ...facts,
    recipient: facts.destination,
    assertionId: samlId(deps),
    audience: peer.entityId,
    subject,
    authenticatedAt: deps.clock.toExternalTime(portalTime(claimed.authenticatedAt)),
    sessionIndex,
    contextClass: contextOf(request.contextClass, claimed.mode, reportsStepUp(claimed, device, deps.clock.now())),
  };
  if (request.tryId === '') rememberSession(deps, claimed, { ...subject, sessionIndex });
  return answer(deps, reply, found, request, writeAssertionResponse(damagedFacts(assertion, damage)), { damage });
}

/**
 * How long sign-ins are stored for a later logout, in milliseconds (decision 178). Applications end their own
 * sessions much earlier.
 */
const SESSION_KEPT = 30 * DAY;

function rememberSession(
  { db, clock }: Deps,
  { orgCode, appId, suid, zid, browser }: NonNullable<ReturnType<typeof claimAppSignIn>>,
  { nameId, nameIdFormat, sessionIndex }: SamlSubject & { sessionIndex: string },
): void {
  const [createdAt, expiresAt] = [clock.now(), clock.now() + SESSION_KEPT];
  const whose = { orgCode, appId, suid, zid, browser };
  logoutRepo.insertSamlSession(db, {
    id: sessionIndex,
    ...whose,
    nameId,
    nameIdFormat,
    createdAt,
    expiresAt,
  });
}

/**
 * Ends a passive sign-in and sends the application NoPassive, because signing in would have needed a prompt.
 * @throws SamlProblem if the sign-in has ended or isn't passive
 */
async function finishPassive(
  deps: Deps,
  reply: FastifyReply,
  orgCode: string,
  login: BrowserAppSignIn,
): Promise<FastifyReply> {
  const ended = endAppSignIn(deps, orgCode, login, ({ protocol, request }) =>
    protocol === 'saml' ? signInRequest.parse(JSON.parse(request)).isPassive : false,
  );
  if (!ended) throw new SamlProblem(OVER);
  const found = await requireSamlApplication(deps, orgCode, ended.appId);
  const request = restoreRequest(found, ended.request);
  return answer(deps, reply, found, request, writeStatusResponse(responseFacts(deps, found, request), NO_PASSIVE));
}

/**
 * Restores a stored request. @throws SamlProblem if an administrator has changed the registered URLs in the meantime
 */
function restoreRequest({ peer }: SamlApplication, json: string): SignInRequest {
  const request = signInRequest.parse(JSON.parse(json));
  if (!peer.consumers.some(({ location }) => location === request.destination)) throw new SamlProblem(OVER);
  return request;
}

const DENIED = { code: STATUS.responder, detail: STATUS.requestDenied };
/**
 * Status if a user other than the one named in the request signs in. The response must not contain an assertion (SAML
 * 2.0 profiles §4.1.4.1).
 */
const OTHER_USER = { code: STATUS.responder, detail: STATUS.authnFailed };

const OVER = 'This sign-in has ended or was started in another browser. Go back to the application and start again.';

function responseFacts(deps: Deps, { addresses }: SamlApplication, { destination, inResponseTo }: SignInRequest) {
  return { id: samlId(deps), now: deps.clock.toExternalTime(), issuer: addresses.entityId, destination, inResponseTo };
}

async function answer(
  deps: Deps,
  reply: FastifyReply,
  { application, provider }: SamlApplication,
  { destination, relayState, tryId }: SignInRequest,
  xml: string,
  { damage, explained }: { damage?: AssertionDamage | undefined; explained?: Explained | undefined } = {},
): Promise<FastifyReply> {
  const [key] = await idpKeys(deps, application.orgCode);
  // Don't encrypt the response to a test, because the portal doesn't have the key to decrypt it.
  const isEncrypted = provider.encryptAssertions && tryId === '' && xml.includes('<saml:Assertion ');
  const recipient = isEncrypted ? await findEncryptionKey(provider.metadata) : undefined;
  const signed = recipient ? await signAndEncrypt(xml, recipient, key) : signMessage(xml, 'Response', key);
  const sent = damage === 'unsigned' ? xml : damagedSignatures(signed, damage);
  if (tryId !== '') {
    const action = `${deps.publicUrl}${testSignInPath('saml', application.orgCode)}`;
    const fields = postedFields('SAMLResponse', sent, tryId);
    return sendPostedForm(deps, reply, { action, fields, next: [], explained });
  }
  const fields = postedFields('SAMLResponse', sent, relayState);
  return sendPostedForm(deps, reply, { action: destination, fields, next: [provider.redirectUrl], explained });
}
