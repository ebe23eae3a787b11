import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inspectJwt, isEncryptedJwt, isJwt } from './inspect-jwt.ts';
import { inspectSaml, rootOf, samlIn } from './inspect-saml.ts';
import type { Inspected } from './verdict.ts';

/**
 * What a token or a SAML response says, and whether a careful client would take it.
 * @throws Refusal INVALID_REQUEST where it is nothing of the kind
 */
export async function inspect(deps: Deps, pasted: string, nonce: string | undefined): Promise<Inspected> {
  const token = pasted.replace(/^(authorization:\s*)?bearer\s+/i, '');
  if (isJwt(token)) return inspectJwt(deps, token, nonce);
  const xml = samlIn(token);
  const root = xml && (await rootOf(xml));
  if (xml !== undefined && root === 'Response') return inspectSaml(deps, xml);
  const message = isEncryptedJwt(token)
    ? 'This token is encrypted (JWE): only the holder of the private key can read it. Decrypt it and paste what is inside'
    : root
      ? `This is XML but not a SAML response: the root element is ${root}, not Response`
      : 'This is neither a JSON Web Token nor a SAML response';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'token', message }] });
}
