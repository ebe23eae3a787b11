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
  const issuedBy = { method: 'POST', path: `${oidcPath(orgCode)}/token`, orgCode };
  const { issue } = prototype;
  prototype.issue = async function issueForLab(context) {
    const issued = await issue.call(this, context);
    if (context.use !== 'idtoken' && context.use !== 'logout') return issued;
    const token = clock.tellsMachineTime()
      ? issued
      : await sign(headerOf(issued), claimsInExternalTime(clock, decodeJwt(issued)));
    // Tokens that the lab issues have no request context. `issueTokens` adds their flaw.
    if (context.use === 'logout' || (this.ctx as KoaContextWithOIDC | undefined) === undefined) return token;
    const handedOut = { ...issuedBy, ...requestOf(this.ctx.oidc), suid: String(this.available.sub) };
    const claims = await tampering.ofClaims(handedOut);
    const complete = claims ? await sign(headerOf(token), { ...decodeJwt(token), ...claims }) : token;
    const damage = await tampering.ofToken({ ...handedOut, claimNames: Object.keys(decodeJwt(complete)) });
    return damage ? tamperToken(complete, damage, sign) : complete;
  };
}

/** Returns the client ID and the body of a token request. */
const requestOf = ({ client, body }: KoaContextWithOIDC['oidc']) => ({ client: client?.clientId, body });

/** Adds the fields that the lab requested to token responses. */
export function addLabFields({ tampering }: Pick<Deps, 'tampering'>, orgCode: string, provider: Provider): void {
  const path = `${oidcPath(orgCode)}/token`;
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path !== '/token' || ctx.body?.access_token === undefined) return;
    const suid = ctx.oidc.entities.Account?.accountId ?? '';
    const fields = await tampering.ofResponse({ method: 'POST', path, orgCode, suid, ...requestOf(ctx.oidc) });
    if (fields) ctx.body = { ...ctx.body, ...fields };
  });
}
