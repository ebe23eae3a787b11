import { appLoginRepo, browserRepo, logoutRepo } from '@orchestrate/db';
import type { FastifyReply } from 'fastify';
import { idpKeys } from '../../core/saml-metadata/idp-keys.ts';
import { POST_BINDING, REDIRECT_BINDING } from '../../core/saml-metadata/names.ts';
import { noBrowserCookie } from '../../core/sign-in/browser-cookie.ts';
import { beginLogout, isAlone } from '../../core/sign-in/logouts.ts';
import type { Deps } from '../../deps.ts';
import { sendRedirect } from '../../platform/http/answers/send-json.ts';
import { acceptMessage } from './accept-message.ts';
import { requireSamlApplication, type SamlApplication } from './find-saml-application.ts';
import { postedFields, sendPostedForm, sendSignedOut } from './pages.ts';
import type { SamlMessage } from './parse-message.ts';
import type { ReceivedMessage } from './receive-message.ts';
import { appLoginIdOf, samlId, sessionIndexOf } from './saml-ids.ts';
import { type SamlStatus, STATUS } from './saml-problem.ts';
import type { ApplicationPath } from './sign-in.ts';
import { signedRedirect, signMessage } from './sign-response.ts';
import { writeLogoutResponse } from './write-response.ts';

/**
 * Single logout that an application begins (SAML 2.0 profiles §4.4): the browser is forgotten, and the application is
 * told so. @throws SamlProblem
 */
export async function signOut(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, appId }: ApplicationPath,
  received: ReceivedMessage,
): Promise<FastifyReply> {
  const found = await requireSamlApplication(deps, orgCode, appId);
  const message = await acceptMessage(deps, found, received, {
    kind: 'LogoutRequest',
    address: found.addresses.singleLogoutUrl,
    mustBeSigned: found.peer.certificates.length > 0,
  });
  const isOurs = found.peer.certificates.length > 0 || namesSignIn(deps, found, message);
  if (isOurs) reply.header('set-cookie', noBrowserCookie(deps, orgCode));
  const next = isOurs ? goOnWithLogout(deps, found, message, received) : undefined;
  if (next !== undefined) return sendRedirect(deps, reply, next);
  const status: SamlStatus = isOurs
    ? { code: STATUS.success }
    : { code: STATUS.responder, detail: STATUS.unknownPrincipal };
  const { binding, relayState } = received;
  const inResponseTo = message.attributes.get('ID') ?? '';
  return answerLogout(deps, reply, found, { inResponseTo, binding, relayState, status });
}

/**
 * Ends the sign-ins at this application that it names, forgets their browsers, and begins to end everything else there.
 * @returns the page that goes on; undefined where nothing else is signed in there
 */
function goOnWithLogout(
  deps: Deps,
  { application: { orgCode, appId } }: SamlApplication,
  { sessionIndexes, subject, attributes }: SamlMessage,
  { binding, relayState }: ReceivedMessage,
): string | undefined {
  const { db } = deps;
  const named = { sessionIndexes, nameId: subject?.nameId ?? '' };
  const found = logoutRepo.listSamlSessionsNamed(db, orgCode, appId, named);
  // A name that several people share, as a template may write one, says of none but the newest that they are meant.
  const sessions = found.filter(({ suid }) => suid === found[0]?.suid);
  const suid = sessions[0]?.suid ?? '';
  const browsers = [...new Set(sessions.flatMap((session) => session.browser ?? []))];
  db.transaction((tx) => {
    for (const session of sessions) logoutRepo.endSamlSessionsWith(tx, session);
    browserRepo.revokeBrowsersOfSignIns(tx, orgCode, { suid, browsers }, deps.clock.now());
  });
  const [browser, ...otherBrowsers] = browsers.filter((one) => !isAlone(deps, { orgCode, suid, browser: one }, appId));
  if (browser === undefined) return undefined;
  const inResponseTo = attributes.get('ID') ?? '';
  return beginLogout(deps, {
    ...{ orgCode, suid, browser, otherBrowsers },
    begunBy: appId,
    goesTo: { kind: 'saml', appId, inResponseTo, binding, relayState },
  });
}

/**
 * If the application has no key to be identified by, the session index that it was told in the assertion must suffice.
 */
function namesSignIn({ db }: Deps, { application }: SamlApplication, { sessionIndexes }: SamlMessage): boolean {
  return sessionIndexes.some((index) => {
    const login = appLoginRepo.findAppLogin(db, appLoginIdOf(index));
    const isSame = login?.orgCode === application.orgCode && login.appId === application.appId;
    return isSame && login.claimedAt !== null && sessionIndexOf(login.id) === index;
  });
}

interface Outcome extends Pick<ReceivedMessage, 'binding' | 'relayState'> {
  inResponseTo: string;
  status: SamlStatus;
}

/** Answers by the request's binding, or else by one that the application has; not at all if it has none. */
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
  const facts = { id: samlId(deps), now: deps.clock.told(), issuer: addresses.entityId, inResponseTo };
  const xml = writeLogoutResponse({ ...facts, destination: service.responseLocation }, status);
  if (service.binding === REDIRECT_BINDING) {
    return sendRedirect(deps, reply, await signedRedirect(service.responseLocation, { xml, relayState }, key));
  }
  const signed = signMessage(xml, 'LogoutResponse', key);
  const fields = postedFields('SAMLResponse', signed, relayState);
  return sendPostedForm(deps, reply, { action: service.responseLocation, fields, next: [provider.redirectUrl] });
}

/** Where an application is logged out, by the first of these bindings that it has. */
export const logoutServiceOf = ({ logoutServices }: SamlApplication['peer'], bindings: readonly string[]) =>
  bindings.flatMap((binding) => logoutServices.find((service) => service.binding === binding) ?? [])[0];
