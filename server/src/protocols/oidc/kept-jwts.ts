import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import type { Body } from './change-bodies.ts';
import { libraryNow } from './portal-time.ts';

/** Where the library refuses JWTs, which it keeps nowhere. */
const ABOUT_TOKENS: ReadonlySet<string> = new Set(['/token/introspection', '/token/revocation']);

/**
 * Keeps access tokens that are JWTs as those that are not, by a name made of the token. So introspection tells of them
 * (RFC 7662), they end with what they come from, and can be revoked (RFC 7009). Call it before the provider's first
 * request.
 */
export function keepJwts({ AccessToken, ClientCredentials }: Provider): void {
  for (const Model of [AccessToken, ClientCredentials]) {
    const { save } = Model.prototype;
    Model.prototype.save = async function saveAndKeep() {
      this.iat ??= libraryNow();
      const value = await save.call(this);
      if (isJwt(value)) {
        const fields = Model.IN_PAYLOAD.map((name) => [name, Reflect.get(this, name)]);
        await this.adapter.upsert(nameOf(value), Object.fromEntries(fields), this.remainingTTL);
      }
      return value;
    };
  }
}

/** A request about a JWT, as one about what is kept of it. */
export const withKeptJwt = ({ path }: KoaContextWithOIDC, body: Body): Body =>
  ABOUT_TOKENS.has(path) && isJwt(body?.token) ? { ...body, token: nameOf(body.token) } : body;

/** Tokens that the library makes up have no point. */
const isJwt = (token: unknown): token is string => typeof token === 'string' && token.includes('.');
const nameOf = (token: string): string => `jwt:${hashSecret(token)}`;
