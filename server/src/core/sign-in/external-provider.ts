import type { portalOidcRepo } from '@orchestrate/db';
import { SECOND } from '@orchestrate/shared';
import type { ClientAuth, Configuration } from 'openid-client';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import type { OutsidePolicy } from '#platform/adapters/outside-address.ts';
import { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';
import { fullAddress } from '#platform/own-addresses.ts';
import { discoveryAddressOf } from './discovery-address.ts';
import { createKeyFetch } from './key-fetch.ts';

const TIMEOUT_MS = 5 * SECOND;
/** Maximum size of a discovery document, key set or token response, in bytes. */
const MAX_BYTES = 262_144;
/** Seconds that openid-client waits before it fetches keys again for an unknown `kid`. */
const KEYS_STALE_AFTER = 60;

/** An external OpenID provider and the client to call it with. */
export interface Provider {
  /** The openid-client library, loaded on first use. */
  client: typeof import('openid-client');
  configuration: Configuration;
  /**
   * Returns the configuration for one sign-in, with the keys cached by earlier sign-ins. If none of these keys
   * verifies the ID token because the provider has rotated its keys, they are fetched again.
   */
  forSignIn(): Configuration;
}

/** Provider address and the portal's credentials at the provider. */
export type ProviderSettings = Pick<portalOidcRepo.PortalOidcRow, 'configurationUrl' | 'clientId' | 'clientSecret'>;

/**
 * Returns the network policy for providers. Another organisation of this portal is always allowed, whatever the
 * portal's address.
 */
export const providerPolicy = ({
  outsidePolicy,
  publicUrl,
}: Pick<Deps, 'outsidePolicy' | 'publicUrl'>): OutsidePolicy => ({
  ...outsidePolicy,
  ownOrigin: publicUrl,
});

/** Creates a `fetch` for calls to providers, subject to the rules of decision 081. */
export function createProviderFetch(deps: Pick<Deps, 'outsidePolicy' | 'backchannelUrl' | 'publicUrl'>) {
  const outsideFetch = createOutsideFetch(providerPolicy(deps), { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  /**
   * Calls other organisations of this portal at `publicUrl` instead of `backchannelUrl`, which the portal itself may not
   * be able to reach.
   */
  const ownOrOutside: typeof outsideFetch = (address, options) => {
    const { backchannelUrl, publicUrl } = deps;
    const isOwn = backchannelUrl !== null && address.startsWith(`${backchannelUrl}/`);
    return outsideFetch(isOwn ? publicUrl + address.slice(backchannelUrl.length) : address, options);
  };
  return ownOrOutside;
}

/**
 * Reads a provider's discovery document.
 * @param skew how far the provider's clock is ahead of this machine's, in seconds
 * @throws any openid-client or connection error
 */
export async function discoverProvider(
  deps: Pick<Deps, 'publicUrl'>,
  fetch: ReturnType<typeof createProviderFetch>,
  { configurationUrl, clientId, clientSecret }: ProviderSettings,
  skew: number,
): Promise<Provider> {
  const client = await import('openid-client');
  const address = discoveryAddressOf(fullAddress(deps.publicUrl, configurationUrl));
  const keys = createKeyFetch(fetch);
  const metadata = { client_secret: clientSecret, [client.clockSkew]: skew };
  const authentication = authenticationBy(client, clientSecret);
  // Allow all unencrypted requests here, because `fetch` decides which addresses can be called without encryption.
  // Verify signatures even on tokens received directly from the provider, which costs one key request every few
  // minutes.
  const extensions = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
  const timeout = TIMEOUT_MS / SECOND;
  const configuration = await client.discovery(new URL(address.url), clientId, metadata, authentication, {
    [client.customFetch]: fetch,
    timeout,
    execute: extensions,
  });
  const server = configuration.serverMetadata();
  if (server.issuer.replace(/\/$/, '') !== address.issuer)
    throw new Error(`Expected issuer ${address.issuer}, got ${server.issuer}.`);
  return {
    client,
    configuration,
    forSignIn() {
      // The library caches keys in the configuration and can't invalidate them, so each sign-in gets a new
      // configuration.
      const own = new client.Configuration(server, clientId, metadata, authentication);
      for (const extend of extensions) extend(own);
      own.timeout = timeout;
      own[client.customFetch] = (url, options) => (url === server.jwks_uri ? keys.fetch : fetch)(url, options);
      const cached = keys.cached();
      const stale = Math.floor(machineNow() / SECOND) - KEYS_STALE_AFTER;
      if (cached) client.setJwksCache(own, { jwks: cached.jwks, uat: Math.min(cached.fetchedAt, stale) });
      return own;
    },
  };
}

/** Uses `client_secret_post` only if the provider doesn't list `client_secret_basic`, the default (RFC 8414 §2). */
function authenticationBy(client: Provider['client'], secret: string): ClientAuth {
  if (secret === '') return client.None();
  const inHeader = client.ClientSecretBasic(secret);
  const inBody = client.ClientSecretPost(secret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPost = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (isPost ? inBody : inHeader)(server, ...request);
  };
}
