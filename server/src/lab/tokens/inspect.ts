import { inflateRawSync } from 'node:zlib';
import type { TryCheck } from '@orchestrate/shared';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { checkResult } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { checkResponse, isEncrypted, withoutSignatures } from '#protocols/saml/check-response.ts';
import { requireSamlApplication } from '#protocols/saml/find-saml-application.ts';
import { MESSAGE_MAX_LENGTH } from '#protocols/saml/parse-message.ts';
import { SamlProblem } from '#protocols/saml/saml-problem.ts';
import { planUnsolicitedSignIn } from '#protocols/saml/sign-in-request.ts';
import { type Inspection, inspectJwt, isEncryptedJwt, isJwt, summariseChecks } from './inspect-jwt.ts';

/** Returns the SAML message in a string: plain XML, base64 (HTTP-POST), or deflated and base64 (HTTP-Redirect). */
function samlIn(text: string): string | undefined {
  if (text.startsWith('<')) return text;
  const compact = text.replaceAll(/\s/g, '');
  if (!/^[\w+/-]+={0,2}$/.test(compact)) return undefined;
  const bytes = Buffer.from(compact, 'base64');
  const plain = bytes.toString();
  if (plain.trimStart().startsWith('<')) return plain;
  try {
    const inflated = inflateRawSync(bytes, { maxOutputLength: MESSAGE_MAX_LENGTH }).toString();
    return inflated.trimStart().startsWith('<') ? inflated : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the root element's local name, or undefined if there is no root element. */
async function rootOf(xml: string): Promise<string | undefined> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  let root: string | undefined;
  // Well-formedness is checked later, so ignore parse errors here.
  parser.on('error', () => undefined);
  parser.on('opentagstart', ({ name }) => {
    root ??= name.split(':').at(-1);
  });
  parser.write(xml.slice(0, MESSAGE_MAX_LENGTH));
  return root;
}

/** Inspects a response from one of the portal's identity providers, as its service provider would. */
async function inspectSaml(deps: Deps, xml: string): Promise<Inspection> {
  const checks = await checksOf(deps, xml);
  const documents = [{ name: 'SAML response', language: 'xml' as const, text: withoutSignatures(xml) }];
  const what = isEncrypted(xml) ? 'The readable part of this SAML response' : 'This SAML response';
  return { kind: 'saml-response', ...summariseChecks(what, checks), checks, documents };
}

const ISSUER = /<saml:Issuer>([^<]*)</;
const unreadable = (why: string): TryCheck[] => [checkResult('XML', false, why)];

async function checksOf(deps: Deps, xml: string): Promise<TryCheck[]> {
  if (xml.length > MESSAGE_MAX_LENGTH)
    return unreadable('The document is longer than any response this portal issues.');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml))
    return unreadable('The document contains a DOCTYPE or entity declaration, which SAML forbids.');
  const issuer = ISSUER.exec(xml)?.[1] ?? '';
  const [, orgCode = '', appId = ''] = /\/saml\/([^/]+)\/([^/]+)$/.exec(issuer) ?? [];
  try {
    const found = await requireSamlApplication(deps, orgCode, appId);
    return await checkResponse(xml, {
      issuer: found.addresses.entityId,
      audience: found.peer.entityId,
      recipient: planUnsolicitedSignIn(found).request.destination,
      attributes: found.provider.attributes,
      keys: await idpKeys(deps, orgCode),
      now: deps.clock.toExternalTime(),
    });
  } catch (reason) {
    if (!(reason instanceof SamlProblem)) return unreadable('The document is not well-formed XML.');
    return [checkResult('Issuer', false, `The issuer is ${issuer || 'missing'}, which this portal does not serve.`)];
  }
}

/**
 * Inspects a token or SAML response.
 * @throws Refusal INVALID_REQUEST for any other input
 */
export async function inspect(deps: Deps, pasted: string, nonce: string | undefined): Promise<Inspection> {
  const token = pasted.replace(/^(authorization:\s*)?bearer\s+/i, '');
  if (isJwt(token)) return requireNonceUsed(await inspectJwt(deps, token, nonce), nonce);
  const xml = samlIn(token);
  const root = xml && (await rootOf(xml));
  if (xml !== undefined && root === 'Response') return requireNonceUsed(await inspectSaml(deps, xml), nonce);
  const message = isEncryptedJwt(token)
    ? 'This token is encrypted (JWE), so only the holder of the private key can read it. Decrypt it and paste the result'
    : root
      ? `This is XML but not a SAML response: the root element is ${root}, not Response`
      : 'This is neither a JSON Web Token nor a SAML response';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'token', message }] });
}

/** @throws Refusal INVALID_REQUEST for a nonce with a message that isn't an ID token, which has none to compare */
function requireNonceUsed(found: Inspection, nonce: string | undefined): Inspection {
  if (nonce === undefined || found.kind === 'id-token') return found;
  const message = 'Only ID tokens have a nonce. Omit it';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'nonce', message }] });
}
