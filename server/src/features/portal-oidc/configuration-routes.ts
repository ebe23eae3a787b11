import { randomBytes } from 'node:crypto';
import type { ProviderCheck } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { discoveryAddressOf } from '#core/sign-in/discovery-address.ts';
import {
  createProviderFetch,
  discoverProvider,
  type Provider,
  type ProviderSettings,
  providerPolicy,
} from '#core/sign-in/external-provider.ts';
import type { Deps } from '#deps.ts';
import {
  fetchOutside,
  isLoopbackUrl,
  requireOutsideAddress,
  UNREADABLE_ADDRESS_MESSAGE,
} from '#platform/adapters/fetch-outside.ts';
import { implement } from '#platform/http/implement.ts';
import { callbackAddress } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { type Discovery, readDiscovery } from './discovery.ts';
import { editableProviderFields, portalOidcOf, savePortalOidc } from './settings.ts';

type Verdict = Pick<ProviderCheck, 'result' | 'detail'>;

/**
 * Errors that a provider returns if it knows the client and callback but has no session (OpenID Connect Core
 * §3.1.2.6).
 */
const NEEDS_INTERACTION = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required'];
/** Short error codes as allowed by RFC 6749 §4.1.2.1. No other text from a provider is displayed. */
const ERROR_CODE = /^[a-z_]{1,60}$/;

const NO_RESPONSE: Verdict = { result: 'unknown', detail: "Couldn't reach the provider. Try again." };
const OWN_PAGE: Verdict = {
  result: 'unknown',
  detail: "The provider's page doesn't show whether it knows the client. Sign in to find out.",
};

/**
 * Checks without a sign-in whether a provider would accept the portal. An authorization request with `prompt=none`
 * shows whether the provider knows the client and its callback URL, and a random code shows whether it accepts the
 * secret. Returns no checks without a client ID.
 */
async function checkClient(deps: Deps, settings: ProviderSettings): Promise<ProviderCheck[]> {
  if (settings.clientId === '') return [];
  const fetch = createProviderFetch(deps);
  const provider = await discoverProvider(deps, fetch, settings, 0).catch(() => undefined);
  if (!provider) return [{ subject: 'client', ...NO_RESPONSE }];
  const callback = callbackAddress(deps);
  const verdictOf = async (check: Promise<Verdict>): Promise<Verdict> => check.catch(() => NO_RESPONSE);
  const [client, secret] = await Promise.all([
    verdictOf(checkCallback(fetch, provider, callback)),
    settings.clientSecret === '' ? undefined : verdictOf(checkSecret(provider, callback)),
  ]);
  return [{ subject: 'client', ...client }, ...(secret ? [{ subject: 'secret' as const, ...secret }] : [])];
}

async function checkCallback(
  fetch: ReturnType<typeof createProviderFetch>,
  { client, configuration }: Provider,
  callback: string,
): Promise<Verdict> {
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: 'openid email',
    state: client.randomState(),
    nonce: client.randomNonce(),
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
    prompt: 'none',
  });
  const { status, headers } = await fetch(address.href, { method: 'GET', headers: { accept: 'text/html' } });
  if (status >= 500) return NO_RESPONSE;
  if (status >= 400) {
    const detail = `The provider doesn’t know this client ID, or ${callback} isn’t registered for it.`;
    return { result: 'refused', detail };
  }
  const target = URL.parse(headers.get('location') ?? '', address.href);
  if (!target?.href.startsWith(`${callback}?`)) return OWN_PAGE;
  const error = target.searchParams.get('error');
  if (error === null || NEEDS_INTERACTION.includes(error)) {
    return { result: 'accepted', detail: 'The provider knows the client ID and returns to the callback URL.' };
  }
  return { result: 'refused', detail: `The provider rejected this client’s request${coded(error)}.` };
}

async function checkSecret({ client, configuration }: Provider, callback: string): Promise<Verdict> {
  const request = client.genericGrantRequest(configuration, 'authorization_code', {
    code: randomBytes(32).toString('base64url'),
    redirect_uri: callback,
    code_verifier: client.randomPKCECodeVerifier(),
  });
  const error = await request.then(
    () => '',
    (reason) => {
      if (reason instanceof client.ResponseBodyError) return reason.error;
      // The body contains no error code (RFC 6749 §5.2: 401 is `invalid_client`).
      if (reason instanceof client.WWWAuthenticateChallengeError) return 'invalid_client';
      throw reason;
    },
  );
  if (error === 'invalid_grant') return { result: 'accepted', detail: 'The provider accepts the client secret.' };
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return { result: 'refused', detail: `The provider rejected the client ID and secret${coded(error)}.` };
  }
  return {
    result: 'unknown',
    detail: `The provider’s response doesn’t show whether the secret is correct${coded(error)}.`,
  };
}

const coded = (error: string) => (ERROR_CODE.test(error) ? ` (${error})` : '');

/** Maximum size of a discovery document, in bytes. Far above the usual few kilobytes. */
const DOCUMENT_MAX_BYTES = 262_144;

/**
 * Fetches and reads a provider's discovery document.
 * @throws Refusal INVALID_REQUEST with an issue on `configurationUrl` if the document is unusable for any reason
 */
async function discover(deps: Deps, configurationUrl: string): Promise<Discovery> {
  const field = 'configurationUrl';
  const policy = providerPolicy(deps);
  requireOutsideAddress(policy, configurationUrl, field);
  const address = discoveryAddressOf(configurationUrl);
  const options = { field, maxBytes: DOCUMENT_MAX_BYTES, accept: 'application/json' };
  const { body } = await fetchOutside(policy, address.url, options);
  const found = readDiscovery(body.toString(), address);
  if ('obstacle' in found) {
    // Remote users must not learn which other services run on this machine.
    const isHidden = isLoopbackUrl(address.url) && !policy.isLocal;
    const message = isHidden ? UNREADABLE_ADDRESS_MESSAGE : found.obstacle;
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: field, message }] });
  }
  return found;
}

/** Serves the configuration of the organisation's external sign-in provider. */
export function portalOidcConfiguration(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getOidcConfiguration, ({ caller, version }) => {
    const shown = portalOidcOf(deps, caller.orgCode);
    version.answer(editableProviderFields(shown));
    return shown;
  });
  implement(app, deps, contract.saveOidcConfiguration, ({ caller, actor, body, version }) => {
    const { approvalId, ...content } = body;
    return savePortalOidc(deps, { caller, actor, approvalId }, content, version);
  });
  implement(app, deps, contract.testOidcConfiguration, async ({ body }) => ({
    ...(await discover(deps, body.configurationUrl)),
    checks: await checkClient(deps, { clientId: '', clientSecret: '', ...body }),
  }));
}
