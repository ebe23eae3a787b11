import { appLoginRepo } from '@orchestrate/db';
import type { FastifyReply } from 'fastify';
import { idpKeys } from '../../core/saml-metadata/idp-keys.ts';
import { POST_BINDING, REDIRECT_BINDING } from '../../core/saml-metadata/names.ts';
import { noBrowserCookie } from '../../core/sign-in/browser-cookie.ts';
import type { Deps } from '../../deps.ts';
import { sendRedirect } from '../../platform/http/answers/send-json.ts';
import { acceptMessage } from './accept-message.ts';
import { findSamlApplication, type SamlApplication } from './find-saml-application.ts';
import { sendPostedForm, sendSignedOut } from './pages.ts';
import type { SamlMessage } from './parse-message.ts';
import type { ReceivedMessage } from './receive-message.ts';
import { type SamlStatus, STATUS } from './saml-problem.ts';
import { type ApplicationPath, sessionIndexOf } from './sign-in.ts';
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
  const found = await findSamlApplication(deps, orgCode, appId);
  const message = await acceptMessage(deps, found, received, {
    kind: 'LogoutRequest',
    address: found.addresses.singleLogoutUrl,
    mustBeSigned: found.peer.certificates.length > 0,
  });
  const isOurs = found.peer.certificates.length > 0 || namesSignIn(deps, found, message);
  if (isOurs) reply.header('set-cookie', noBrowserCookie(deps, orgCode));
  const status: SamlStatus = isOurs
    ? { code: STATUS.success }
    : { code: STATUS.responder, detail: STATUS.unknownPrincipal };
  return answer(deps, reply, found, { message, received, status });
}

/**
 * If the application has no key to be identified by, the session index that it was told in the assertion must suffice.
 */
function namesSignIn({ db }: Deps, { application }: SamlApplication, { sessionIndexes }: SamlMessage): boolean {
  return sessionIndexes.some((index) => {
    const login = appLoginRepo.findAppLogin(db, index.slice(1));
    const isSame = login?.orgCode === application.orgCode && login.appId === application.appId;
    return isSame && login.claimedAt !== null && sessionIndexOf(login.id) === index;
  });
}

interface Outcome {
  message: SamlMessage;
  received: ReceivedMessage;
  status: SamlStatus;
}

/** Answers by the request's binding, or else by one that the application has; not at all if it has none. */
async function answer(
  deps: Deps,
  reply: FastifyReply,
  { application, peer, addresses, provider }: SamlApplication,
  { message, received: { binding, relayState }, status }: Outcome,
): Promise<FastifyReply> {
  const wanted = binding === 'post' ? [POST_BINDING, REDIRECT_BINDING] : [REDIRECT_BINDING, POST_BINDING];
  const service = wanted
    .map((name) => peer.logoutServices.find((one) => one.binding === name))
    .find((one) => one !== undefined);
  if (!service) return sendSignedOut(deps, reply);
  const [key] = await idpKeys(deps, application.orgCode);
  const inResponseTo = message.attributes.get('ID') ?? '';
  const facts = { id: `_${deps.random.id()}`, now: deps.clock.told(), issuer: addresses.entityId, inResponseTo };
  const xml = writeLogoutResponse({ ...facts, destination: service.responseLocation }, status);
  if (service.binding === REDIRECT_BINDING) {
    return sendRedirect(deps, reply, await signedRedirect(service.responseLocation, { xml, relayState }, key));
  }
  const signed = signMessage(xml, 'LogoutResponse', key);
  const fields = {
    SAMLResponse: Buffer.from(signed).toString('base64'),
    ...(relayState !== '' && { RelayState: relayState }),
  };
  return sendPostedForm(deps, reply, { action: service.responseLocation, fields, next: [provider.redirectUrl] });
}
