import type { oidcKeyRepo } from '@orchestrate/db';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { CompactSign } from 'jose/jws/compact/sign';
import { decodeJwt } from 'jose/jwt/decode';
import { importJWK } from 'jose/key/import';
import type { Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { claimsInExternalTime } from '../provider/portal-time.ts';
import { type SignToken, tamperIdToken } from '../tokens/tamper-id-token.ts';

/**
 * Issues ID and logout tokens in external time, and applies the tampering that the lab requested to ID tokens. Signs
 * changed tokens again.
 * No option: the library reads the machine's clock, and `formats.customizers.jwt` covers access tokens only. Checked
 * with oidc-provider 9.13.3.
 */
export function applyLabToTokens(
  deps: Pick<Deps, 'clock' | 'tampering'>,
  orgCode: string,
  { IdToken: { prototype } }: Provider,
  keys: readonly oidcKeyRepo.OidcKeyRow[],
): void {
  const { clock, tampering } = deps;
  const sign: SignToken = async (header, claims) => {
    const jwk = keys.find(({ kid }) => kid === header.kid)?.privateJwk;
    if (!jwk) throw new Error(`${orgCode} doesn't have the signing key ${header.kid}.`);
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader(header)
      .sign(await importJWK(jwk, header.alg));
  };

  const { issue } = prototype;
  prototype.issue = async function issueForLab(context) {
    const issued = await issue.call(this, context);
    if (context.use !== 'idtoken' && context.use !== 'logout') return issued;
    const { alg = '', kid = '', typ } = decodeProtectedHeader(issued);
    const token = clock.tellsMachineTime()
      ? issued
      : await sign({ alg, kid, ...(typ && { typ }) }, claimsInExternalTime(clock, decodeJwt(issued)));
    if (context.use === 'logout') return token;
    const path = `${oidcPath(orgCode)}/token`;
    const damage = await tampering.ofToken({ method: 'POST', path, orgCode, suid: String(this.available.sub) });
    return damage ? tamperIdToken(token, damage, sign) : token;
  };
}
