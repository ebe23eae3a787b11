import type { AccessToken, ClientCredentials, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import type { Body } from '../overrides/rewrite-bodies.ts';
import type { ModelStore } from '../provider/model-store.ts';
import { claimsInExternalTime } from '../provider/portal-time.ts';

/**
 * Stores JWT access tokens by token hash, which the library doesn't. This lets tokens be introspected (RFC 7662), be
 * revoked (RFC 7009), and end with the sign-in that issued them. Returns the function that stores a token.
 */
export function storeJwts(
  provider: Provider,
  storeFor: (model: string) => ModelStore,
): (token: AccessToken | ClientCredentials, value: string) => void {
  const stores = { AccessToken: storeFor('AccessToken'), ClientCredentials: storeFor('ClientCredentials') };
  const store = (token: AccessToken | ClientCredentials, value: string) => {
    stores[token.kind].put(idOf(value), storedFields(provider, token), token.remainingTTL);
  };
  provider.on('grant.success', ({ body, oidc: { entities } }) => {
    const token = entities.AccessToken ?? entities.ClientCredentials;
    const { access_token: value } = tokenResponse.parse(body);
    if (token && isJwt(value)) store(token, value);
  });
  return store;
}

const tokenResponse = z.object({ access_token: z.string() });

function storedFields(provider: Provider, token: AccessToken | ClientCredentials): Record<string, unknown> {
  const names = provider[token.kind].IN_PAYLOAD;
  return Object.fromEntries(Object.entries(token).filter(([name]) => names.includes(name)));
}

/** Endpoints at which the library rejects JWTs. */
const ABOUT_TOKENS: ReadonlySet<string> = new Set(['/token/introspection', '/token/revocation']);

/** Returns the request body with a JWT replaced by its ID in `storeJwts`. */
export const withStoredJwt = ({ path }: KoaContextWithOIDC, body: Body): Body =>
  ABOUT_TOKENS.has(path) && isJwt(body?.token) ? { ...body, token: idOf(body.token) } : body;

/** Opaque tokens contain no dots. */
const isJwt = (token: unknown): token is string => typeof token === 'string' && token.includes('.');
const PREFIX = 'jwt:';
const idOf = (jwt: string): string => `${PREFIX}${hashSecret(jwt)}`;
const isStoredJwt = (id: unknown): boolean => typeof id === 'string' && id.startsWith(PREFIX);

/** Returns a store that also finds JWTs of `storeJwts`, which userinfo looks up by their value. */
export const findingJwts = (store: ModelStore): ModelStore => ({
  ...store,
  find: (id) => store.find(isJwt(id) ? idOf(id) : id),
});

const introspectionResponse = z.record(z.string(), z.unknown());

/**
 * Completes introspection responses (RFC 7662 §2.2) with the audience of JWTs that are stored without one, and converts
 * their times to external time. These times are not part of the token itself.
 */
export function completeIntrospection({ clock }: Pick<Deps, 'clock'>, provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path !== '/token/introspection') return;
    const response = introspectionResponse.safeParse(ctx.body);
    if (!response.success) return;
    const { aud, client_id: clientId } = response.data;
    const answer = { ...response.data, ...(isStoredJwt(ctx.oidc.params?.token) && { aud: aud ?? clientId }) };
    ctx.body = clock.tellsMachineTime() ? answer : claimsInExternalTime(clock, answer);
  });
}
