import { type logoutNoticeRepo, logoutRepo } from '@orchestrate/db';
import type { FastifyReply } from 'fastify';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { POST_BINDING, REDIRECT_BINDING, SOAP_BINDING } from '#core/saml-metadata/xml.ts';
import { notifySamlLater } from '#core/sign-in/logouts.ts';
import type { Deps } from '#deps.ts';
import { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';
import { sendRedirect } from '#platform/http/answers/send-json.ts';
import { logoutPath } from '#platform/own-addresses.ts';
import { acceptMessage } from './accept-message.ts';
import { findSamlApplication, requireSamlApplication, type SamlApplication } from './find-saml-application.ts';
import { postedFields, sendPostedForm } from './pages.ts';
import { MESSAGE_MAX_LENGTH, parseMessage } from './parse-message.ts';
import type { ReceivedMessage } from './receive-message.ts';
import { samlId } from './saml-ids.ts';
import { SamlProblem, STATUS } from './saml-problem.ts';
import { answerLogout, logoutServiceOf } from './sign-out.ts';
import { signMessage, signRedirect } from './sign-response.ts';
import { isSigned, isSignedBy } from './verify-signature.ts';
import { writeLogoutRequest } from './write-response.ts';

type Participant = logoutRepo.LogoutParticipant;
type Session = NonNullable<Participant['saml']>;

const TIMEOUT_MS = 5_000;

/**
 * Ends a member's SAML application sign-ins in one browser (SAML 2.0 profiles §4.4). Notifies applications with a
 * SOAP endpoint immediately. The browser must still be redirected to the other applications.
 */
export async function endSamlSessions(deps: Deps, where: logoutRepo.BrowserSignIns): Promise<Participant[]> {
  const sessions = logoutRepo.endSamlSessions(deps.db, where);
  const ended = await Promise.all(sessions.map((session) => endOne(deps, session)));
  return ended.flatMap((participant) => participant ?? []);
}

async function endOne(deps: Deps, session: logoutRepo.SamlSessionRow): Promise<Participant | undefined> {
  const found = await findSamlApplication(deps, session.orgCode, session.appId);
  if (!found) return undefined;
  const participant = { appId: session.appId, name: found.application.name, saml: namesOf(session) };
  const state = await notifyBySoap(deps, found, session);
  if (state === 'failed') notifySamlLater(deps, session);
  if (state) return { ...participant, state };
  return { ...participant, state: logoutServiceOf(found.peer, BROWSER_BINDINGS) ? 'waiting' : 'failed' };
}

const namesOf = ({ id: sessionIndex, nameId, nameIdFormat }: logoutRepo.SamlSessionRow): Session => ({
  sessionIndex,
  nameId,
  nameIdFormat,
});

/**
 * Notifies the application by SOAP that a sign-in has ended. Makes a single attempt.
 * @returns undefined if only the browser can notify the application
 */
async function notifyBySoap(
  deps: Deps,
  found: SamlApplication,
  session: logoutRepo.SamlSessionRow,
): Promise<'done' | 'failed' | undefined> {
  const soap = logoutServiceOf(found.peer, [SOAP_BINDING]);
  if (!soap) return undefined;
  return (await isEndedBySoap(deps, found, soap.location, namesOf(session))) ? 'done' : 'failed';
}

/**
 * Sends a pending logout notice to the application by SOAP (decision 178).
 * @returns undefined if there is nothing to send, or the notice has already been sent
 */
export async function notifySamlApplication(
  deps: Deps,
  { orgCode, appId, sid }: logoutNoticeRepo.LogoutNoticeRow,
): Promise<'done' | 'failed' | undefined> {
  const session = logoutRepo.findSamlSession(deps.db, orgCode, sid);
  const found = session && (await findSamlApplication(deps, orgCode, appId));
  return found && notifyBySoap(deps, found, session);
}

const BROWSER_BINDINGS = [REDIRECT_BINDING, POST_BINDING];

/** Sends a logout request by SOAP (SAML 2.0 bindings §3.2). @returns true if the application confirms it */
async function isEndedBySoap(deps: Deps, found: SamlApplication, location: string, session: Session): Promise<boolean> {
  const { id, xml } = logoutRequest(deps, found, location, session);
  const [key] = await idpKeys(deps, found.application.orgCode);
  const body = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${signMessage(xml, 'LogoutRequest', key)}</soap:Body></soap:Envelope>`;
  const headers = {
    'content-type': 'text/xml; charset=utf-8',
    soapaction: 'http://www.oasis-open.org/committees/security',
  };
  const ask = createOutsideFetch(deps.outsidePolicy, { maxBytes: MESSAGE_MAX_LENGTH, timeoutMs: TIMEOUT_MS });
  try {
    const answer = await ask(location, { method: 'POST', headers, body });
    // Extract the message from its SOAP envelope without modification.
    const [text] = /<(\w+:)?LogoutResponse[\s>][\s\S]*<\/\1?LogoutResponse>/.exec(await answer.text()) ?? [];
    if (!answer.ok || text === undefined) return false;
    const message = await parseMessage(text);
    const received: ReceivedMessage = { xml: text, relayState: '', binding: 'post', detached: undefined };
    const isRight = !isSigned(received, message) || (await isSignedBy(found.peer, received, message));
    return isRight && message.attributes.get('InResponseTo') === id && message.status === STATUS.success;
  } catch {
    return false;
  }
}

function logoutRequest(deps: Deps, { addresses }: SamlApplication, destination: string, session: Session) {
  const id = samlId(deps);
  const facts = { id, now: deps.clock.toExternalTime(), issuer: addresses.entityId, destination };
  return { id, xml: writeLogoutRequest(facts, session) };
}

/** Redirects the browser to an application to log out there. @returns the updated participant */
export async function sendLogoutRequest(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, id }: Pick<logoutRepo.LogoutRow, 'orgCode' | 'id'>,
  participant: Participant & { saml: Session },
): Promise<Participant> {
  const found = await findSamlApplication(deps, orgCode, participant.appId);
  const service = found && logoutServiceOf(found.peer, BROWSER_BINDINGS);
  if (!found || !service) return { ...participant, state: 'failed' };
  const { id: requestId, xml } = logoutRequest(deps, found, service.location, participant.saml);
  const [key] = await idpKeys(deps, orgCode);
  if (service.binding === REDIRECT_BINDING) {
    sendRedirect(deps, reply, await signRedirect(service.location, { xml, relayState: id }, key, 'SAMLRequest'));
  } else {
    const fields = postedFields('SAMLRequest', signMessage(xml, 'LogoutRequest', key), id);
    sendPostedForm(deps, reply, { action: service.location, fields, next: [] });
  }
  return { ...participant, state: 'asked', requestId };
}

/**
 * Accepts an application's response to our logout request, and continues with the next application. @throws SamlProblem
 */
export async function acceptLogoutResponse(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, appId }: { orgCode: string; appId: string },
  received: ReceivedMessage,
): Promise<FastifyReply> {
  const { db, clock } = deps;
  const found = await requireSamlApplication(deps, orgCode, appId);
  const message = await acceptMessage(deps, found, received, {
    kind: 'LogoutResponse',
    address: found.addresses.singleLogoutUrl,
    mustBeSigned: found.peer.certificates.length > 0,
  });
  const logout = logoutRepo.findLogout(db, orgCode, received.relayState, clock.now());
  const answered = message.attributes.get('InResponseTo');
  const isOurs = logout?.participants.some(({ requestId }) => requestId !== undefined && requestId === answered);
  if (!logout || !isOurs) throw new SamlProblem('This sign-out has ended or was started in another browser.');
  const state = message.status === STATUS.success ? 'done' : 'failed';
  const participants = logout.participants.map((one) =>
    one.requestId === answered ? ({ ...one, state } as const) : one,
  );
  logoutRepo.setParticipants(db, logout, participants);
  return sendRedirect(deps, reply, logoutPath(orgCode, logout.id));
}

/** Answers the application that started a logout. @throws SamlProblem */
export async function answerInitiator(
  deps: Deps,
  reply: FastifyReply,
  orgCode: string,
  { appId, ...request }: Extract<logoutRepo.LogoutReturn, { kind: 'saml' }>,
  isWhole: boolean,
): Promise<FastifyReply> {
  const found = await requireSamlApplication(deps, orgCode, appId);
  const status = { code: STATUS.success, ...(!isWhole && { detail: STATUS.partialLogout }) };
  return answerLogout(deps, reply, found, { ...request, status });
}
