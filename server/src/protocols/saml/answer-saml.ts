import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { sendDocument } from '#platform/http/answers/send-json.ts';
import { acceptLogoutResponse } from './end-sessions.ts';
import { idpMetadata } from './idp-metadata.ts';
import { type ReceivedMessage, readRelayState, receivePosted, receiveRedirected } from './receive-message.ts';
import { SamlProblem } from './saml-problem.ts';
import { type ApplicationPath, beginSignIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { requirePendingTest } from './test-sign-in.ts';

export { finishSignIn, startSignIn } from './sign-in.ts';
export { finishTest } from './test-sign-in.ts';

/** A received message: a query string for HTTP-Redirect, a form for HTTP-POST. */
type Sent = string | URLSearchParams;
type OfApplication = Pick<FastifyRequest, 'method' | 'headers'> & { params: ApplicationPath };

const receive = (sent: Sent): Promise<ReceivedMessage | undefined> =>
  typeof sent === 'string' ? receiveRedirected(sent) : receivePosted(sent);

/** Sends the portal's metadata for one application. */
export async function metadata(deps: Deps, reply: FastifyReply, { orgCode, appId }: ApplicationPath) {
  const text = await idpMetadata(deps, orgCode, appId);
  return sendDocument(deps, reply, { type: 'application/samlmetadata+xml', text, fileName: undefined });
}

/**
 * Handles the application's sign-in request. Without a request, starts an IdP-initiated sign-in, whose RelayState can
 * specify where the application continues (SAML 2.0 profiles §4.1.5).
 */
export async function signIn(deps: Deps, request: OfApplication, reply: FastifyReply, sent: Sent) {
  const received = await receive(sent);
  const { params } = request;
  if (typeof sent !== 'string') return beginSignIn(deps, request, reply, params, requireMessage(received));
  return beginSignIn(deps, request, reply, params, received, { relayState: readRelayState(sent) });
}

export function beginTest(deps: Deps, request: OfApplication, reply: FastifyReply, id: string) {
  const { params } = request;
  return beginSignIn(deps, request, reply, params, undefined, { tryId: requirePendingTest(deps, params, id) });
}

/** Handles an application's logout request, or its response to ours. */
export async function logout(deps: Deps, request: OfApplication, reply: FastifyReply, sent: Sent) {
  const received = requireMessage(await receive(sent));
  const isAnswer = new URLSearchParams(sent).has('SAMLResponse');
  return isAnswer
    ? acceptLogoutResponse(deps, reply, request.params, received)
    : signOut(deps, request, reply, received);
}

function requireMessage(received: ReceivedMessage | undefined): ReceivedMessage {
  if (!received) throw new SamlProblem('This page only works with a request from an application.');
  return received;
}
