import type { oidcKeyRepo } from '@orchestrate/db';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { CompactSign } from 'jose/jws/compact/sign';
import { decodeJwt } from 'jose/jwt/decode';
import { importJWK } from 'jose/key/import';
import type { Provider } from 'oidc-provider';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import type { Clock } from '#platform/adapters/clock.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { toldOf } from '../provider/portal-time.ts';
import { damagedIdToken, type SignToken } from '../tokens/tamper-id-token.ts';

/** Claims that are times which somebody else compares with their own clock. */
const TIMES = ['iat', 'exp', 'auth_time'];

/** Below the issuer. The answer carries times outside of a token (RFC 7662 §2.2). */
const INTROSPECTION = '/token/introspection';
const introspected = z.record(z.string(), z.unknown());

type Claims = Readonly<Record<string, unknown>>;

/** Claims with the times that other programs are told. */
export const inToldTime = (clock: Clock, claims: Claims): Claims => ({
  ...claims,
  ...Object.fromEntries(
    TIMES.flatMap((name) => {
      const time = claims[name];
      return typeof time === 'number' ? [[name, toldOf(clock, time)]] : [];
    }),
  ),
});

/**
 * Lets what clients are told carry the time that the lab says, and the damage that it asks for. The library writes the
 * machine's time; what differs from that is signed again.
 */
export function applyLabToTokens(
  deps: Deps,
  orgCode: string,
  provider: Provider,
  keys: readonly oidcKeyRepo.OidcKeyRow[],
): void {
  const { clock, damages } = deps;
  const sign: SignToken = async (header, claims) => {
    const jwk = keys.find(({ kid }) => kid === header.kid)?.privateJwk;
    if (!jwk) throw new Error(`Expected a key ${header.kid} of ${orgCode} to sign with, but there is none.`);
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader(header)
      .sign(await importJWK(jwk, header.alg));
  };
  const inTime = (claims: Claims) => inToldTime(clock, claims);

  const { prototype } = provider.IdToken;
  const { issue } = prototype;
  prototype.issue = async function issueAsTheLabSays(context) {
    const issued = await issue.call(this, context);
    if (context.use !== 'idtoken' && context.use !== 'logout') return issued;
    const { alg = '', kid = '', typ } = decodeProtectedHeader(issued);
    const token = clock.tellsMachineTime()
      ? issued
      : await sign({ alg, kid, ...(typ && { typ }) }, inTime(decodeJwt(issued)));
    if (context.use === 'logout') return token;
    const path = `${oidcPath(orgCode)}/token`;
    const damage = await damages.ofToken({ method: 'POST', path, orgCode, suid: String(this.available.sub) });
    return damage ? damagedIdToken(token, damage, sign) : token;
  };

  provider.use(async (ctx, next) => {
    await next();
    if (clock.tellsMachineTime() || ctx.path !== INTROSPECTION) return;
    const told = introspected.safeParse(ctx.body);
    if (told.success) ctx.body = inTime(told.data);
  });
}
