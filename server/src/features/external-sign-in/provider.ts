import { type organisationRepo, portalOidcRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { ClientAuth, Configuration } from 'openid-client';
import { discoveryAddressOf } from '../../core/sign-in/discovery-address.ts';
import type { Deps } from '../../deps.ts';
import { machineNow } from '../../platform/adapters/machine-time.ts';
import { createOutsideFetch } from '../../platform/adapters/outside-fetch.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { wholeAddress } from '../../platform/own-addresses.ts';
import { ExternalSignInFailed } from './failure.ts';

/** How long a provider's discovery document is trusted. */
const KEPT_MS = 5 * MINUTE;
const TIMEOUT_MS = 5 * SECOND;
/** Smaller differences between clocks are within what the library allows: 30 s. */
const CLOCK_STEP = 15;
/** Limit for a discovery document, a set of keys or a token answer. */
const MAX_BYTES = 262_144;

/** The external provider of an organisation, with everything needed to ask it. */
export interface Provider {
  /** openid-client, which is loaded only when somebody signs in this way. */
  client: typeof import('openid-client');
  configuration: Configuration;
}

export interface Providers {
  /** @throws ExternalSignInFailed where it is not set up, switched off, or cannot be reached */
  of(organisation: organisationRepo.OrganisationRow): Promise<Provider>;
}

interface Kept {
  provider: Promise<Provider>;
  until: number;
  /** Identifies the settings that it was made from. */
  key: string;
}

/** Fetches each provider's discovery document once every few minutes, however many people sign in. */
export function createProviders(deps: Deps): Providers {
  const { db, config, clock, log } = deps;
  const kept = new Map<string, Kept>();
  const outsideFetch = createOutsideFetch(config, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  /** Another organisation of this portal names its addresses for servers elsewhere, which this one may not reach. */
  const ownOrOutside: typeof outsideFetch = (address, options) => {
    const { backchannelUrl, publicUrl } = deps;
    const isOwn = backchannelUrl !== null && address.startsWith(`${backchannelUrl}/`);
    return outsideFetch(isOwn ? publicUrl + address.slice(backchannelUrl.length) : address, options);
  };

  /** How far the time that the provider is expected to have is ahead of the machine's, in seconds. */
  const clockSkew = () => Math.round((clock.told() - machineNow()) / SECOND / CLOCK_STEP) * CLOCK_STEP;

  async function discover({ configurationUrl, clientId, clientSecret }: portalOidcRepo.PortalOidcRow, skew: number) {
    const client = await import('openid-client');
    const address = discoveryAddressOf(wholeAddress(deps.publicUrl, configurationUrl));
    const configuration = await client.discovery(
      new URL(address.url),
      clientId,
      { client_secret: clientSecret, [client.clockSkew]: skew },
      authenticationBy(client, clientSecret),
      {
        [client.customFetch]: ownOrOutside,
        timeout: TIMEOUT_MS / SECOND,
        // The fetch decides which addresses may be asked without encryption. Signatures are verified even where the
        // token came straight from the provider: it costs one request every few minutes.
        execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      },
    );
    const { issuer } = configuration.serverMetadata();
    if (issuer.replace(/\/$/, '') !== address.issuer)
      throw new Error(`Expected the issuer ${address.issuer}, got ${issuer}.`);
    return { client, configuration };
  }

  // A reset changes who the providers of the demo are, and their keys.
  deps.bus.listen([TOPIC.reset], () => kept.clear());

  return {
    async of({ orgCode, portalOidcEnabled }) {
      const settings = portalOidcRepo.findPortalOidc(db, orgCode);
      if (!portalOidcEnabled || !settings) throw new ExternalSignInFailed('not-configured', orgCode);
      const skew = clockSkew();
      const key = JSON.stringify({ ...settings, skew });
      const found = kept.get(orgCode);
      const isFresh = found?.key === key && found.until > clock.now();
      const used = isFresh ? found : { provider: discover(settings, skew), until: clock.now() + KEPT_MS, key };
      kept.set(orgCode, used);
      try {
        // Callers that share one attempt share its result: each is told, and a failed attempt is never handed out.
        return await used.provider;
      } catch (reason) {
        if (kept.get(orgCode) === used) kept.delete(orgCode);
        log.warn({ orgCode, reason: String(reason) }, 'the external provider cannot be used');
        throw new ExternalSignInFailed('provider-down', orgCode);
      }
    },
  };
}

/** Sends the secret by the method that the provider lists first; in a header where it lists none (RFC 8414 §2). */
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
