import { type organisationRepo, portalOidcRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { ClientAuth, Configuration } from 'openid-client';
import { discoveryAddressOf } from '../../core/sign-in/discovery-address.ts';
import type { Deps } from '../../deps.ts';
import { createOutsideFetch } from '../../platform/adapters/outside-fetch.ts';
import { wholeAddress } from '../../platform/own-address.ts';
import { ExternalSignInFailed } from './failure.ts';

/** What a provider says of itself is believed for so long. */
const KEPT_MS = 5 * MINUTE;
const TIMEOUT_MS = 5 * SECOND;
/** Of a discovery document, a set of keys or a token answer. */
const MAX_BYTES = 262_144;

/** The external provider of an organisation, with everything that is needed to ask it. */
export interface Provider {
  /** openid-client, which nobody loads before somebody signs in this way. */
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
  /** The settings that it was made from. */
  key: string;
}

/** Asks each provider for its discovery document once in a few minutes, however many people come. */
export function createProviders(deps: Deps): Providers {
  const { db, config, clock, log } = deps;
  const kept = new Map<string, Kept>();
  const outsideFetch = createOutsideFetch(config, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });

  async function discover({ configurationUrl, clientId, clientSecret }: portalOidcRepo.PortalOidcRow) {
    const client = await import('openid-client');
    const address = discoveryAddressOf(wholeAddress(deps.publicUrl, configurationUrl));
    const configuration = await client.discovery(
      new URL(address.url),
      clientId,
      clientSecret,
      authenticationBy(client, clientSecret),
      {
        [client.customFetch]: outsideFetch,
        timeout: TIMEOUT_MS / SECOND,
        // Which addresses may be asked without encryption is for the fetch to say. Signatures are verified also where
        // the token came straight from the provider: it costs one request in a few minutes.
        execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      },
    );
    const { issuer } = configuration.serverMetadata();
    if (issuer.replace(/\/$/, '') !== address.issuer) throw new Error(`The issuer is not ${address.issuer}.`);
    return { client, configuration };
  }

  return {
    async of({ orgCode, portalOidcEnabled }) {
      const settings = portalOidcRepo.findPortalOidc(db, orgCode);
      if (!portalOidcEnabled || !settings) throw new ExternalSignInFailed('not-configured', orgCode);
      const key = JSON.stringify(settings);
      const found = kept.get(orgCode);
      const isFresh = found?.key === key && found.until > clock.now();
      const used = isFresh ? found : { provider: discover(settings), until: clock.now() + KEPT_MS, key };
      kept.set(orgCode, used);
      try {
        // Those who share one attempt share its end: each is told, and nobody is handed what has failed.
        return await used.provider;
      } catch (reason) {
        if (kept.get(orgCode) === used) kept.delete(orgCode);
        log.warn({ orgCode, reason: String(reason) }, 'the external provider cannot be used');
        throw new ExternalSignInFailed('provider-down', orgCode);
      }
    },
  };
}

/** The secret in the way that the provider names first; in a header where it names none (RFC 8414 §2). */
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
