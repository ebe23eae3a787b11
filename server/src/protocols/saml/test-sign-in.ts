import { testSignInRepo } from '@orchestrate/db';
import type { AppTryResult } from '@orchestrate/shared';
import type { FastifyReply } from 'fastify';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { claimTestSignIn, resultPath } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import { sendRedirect } from '#platform/http/answers/send-json.ts';
import { idpAddresses } from '#platform/own-addresses.ts';
import { checkResponse, withoutSignatures } from './check-response.ts';
import { requireSamlApplication } from './find-saml-application.ts';
import { MESSAGE_MAX_LENGTH } from './parse-message.ts';
import { SamlProblem } from './saml-problem.ts';
import type { ApplicationPath } from './sign-in.ts';
import { planUnsolicitedSignIn } from './sign-in-request.ts';

/** Returns the URL that starts a test sign-in without a service provider's request. */
export const samlTestUrl = (
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  { orgCode, appId }: ApplicationPath,
  id: string,
): string => `${idpAddresses(publicUrl, { orgCode, appId }).entityId}/try?id=${encodeURIComponent(id)}`;

/**
 * Returns `id` if it identifies a pending test sign-in.
 * @throws SamlProblem otherwise
 */
export function requirePendingTest({ db, clock }: Deps, { orgCode, appId }: ApplicationPath, id: string): string {
  const row = testSignInRepo.findTestSignIn(db, orgCode, appId, id);
  if (row?.protocol !== 'saml' || row.returnedAt !== null || row.expiresAt <= clock.now()) throw over();
  return row.id;
}

/**
 * Receives the response in place of the service provider. Works only once, and only in the browser that started the
 * test. @throws SamlProblem
 */
export async function finishTest(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, form, cookie }: { orgCode: string; form: URLSearchParams; cookie: string | undefined },
): Promise<FastifyReply> {
  const id = form.get('RelayState') ?? '';
  const row = claimTestSignIn(deps, orgCode, { id, browser: browserOf(deps, cookie) });
  if (row?.protocol !== 'saml') throw over();
  const xml = Buffer.from(form.get('SAMLResponse') ?? '', 'base64').toString();
  if (xml.length > MESSAGE_MAX_LENGTH) throw over();
  testSignInRepo.setTestSignInResult(deps.db, orgCode, id, await resultOf(deps, { orgCode, appId: row.appId }, xml));
  return sendRedirect(deps, reply, resultPath(row));
}

async function resultOf(deps: Deps, { orgCode, appId }: ApplicationPath, xml: string): Promise<AppTryResult> {
  const found = await requireSamlApplication(deps, orgCode, appId);
  const checks = await checkResponse(xml, {
    issuer: found.addresses.entityId,
    audience: found.peer.entityId,
    recipient: planUnsolicitedSignIn(found).request.destination,
    attributes: found.provider.attributes,
    keys: await idpKeys(deps, orgCode),
    now: deps.clock.toExternalTime(),
  });
  return { checks, documents: [{ name: 'SAML response', language: 'xml', text: withoutSignatures(xml) }] };
}

const over = () => new SamlProblem('This test has ended or was started in another browser. Start again.');
