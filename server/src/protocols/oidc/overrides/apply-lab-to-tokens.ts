import { decodeJwt } from 'jose/jwt/decode';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { claimsInExternalTime } from '../provider/portal-time.ts';
import { headerOf, type SignToken, tamperToken } from '../tokens/tamper-token.ts';

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
  sign: SignToken,
): void {
  const { clock, tampering } = deps;
  const { issue } = prototype;
  prototype.issue = async function issueForLab(context) {
    const issued = await issue.call(this, context);
    if (context.use !== 'idtoken' && context.use !== 'logout') return issued;
    const token = clock.tellsMachineTime()
      ? issued
      : await sign(headerOf(issued), claimsInExternalTime(clock, decodeJwt(issued)));
    // Without a request, the lab has ordered the token, along with any flaw.
    if (context.use === 'logout' || (this.ctx as KoaContextWithOIDC | undefined) === undefined) return token;
    const path = `${oidcPath(orgCode)}/token`;
    const damage = await tampering.ofToken({ method: 'POST', path, orgCode, suid: String(this.available.sub) });
    return damage ? tamperToken(token, damage, sign) : token;
  };
}
