import type { applicationRepo } from '@orchestrate/db';
import { HTTPS_REQUIRED_MESSAGE, requiresHttps } from '#core/requires-https.ts';
import { readProvider } from '#core/saml-metadata/read-service-provider.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';

type Addresses = Pick<
  applicationRepo.OidcClientRow,
  'redirectUris' | 'postLogoutRedirectUris' | 'frontchannelLogoutUri'
>;

/**
 * Requires https for every client URL that browsers are redirected to. The back-channel URL isn't included because
 * the portal itself calls it, so `requireReachableUrls` checks it.
 * @param before the saved client; its URLs can stay in their fields, but can't move to another field
 * @throws Refusal INVALID_REQUEST
 */
export function requireEncryptedClient({ config }: Pick<Deps, 'config'>, after: Addresses, before?: Addresses): void {
  const inField = ([path, address]: readonly [string, string]) => `${path.split('.')[0]} ${address}`;
  const known = new Set(before && browserAddressesOf(before).map(inField));
  const issues = browserAddressesOf(after)
    .filter((one) => !known.has(inField(one)) && requiresHttps(config, one[1]))
    .map(([path]) => ({ path: `oidcConfiguration.clients.${path}`, message: HTTPS_REQUIRED_MESSAGE }));
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}

/**
 * Returns every client URL that browsers are redirected to, with its path: the field name and any position in a list.
 */
export function browserAddressesOf({
  redirectUris,
  postLogoutRedirectUris,
  frontchannelLogoutUri: page,
}: Addresses): [string, string][] {
  return [
    ...redirectUris.map((address, at): [string, string] => [`redirect_uris.${at}`, address]),
    ...postLogoutRedirectUris.map((address, at): [string, string] => [`post_logout_redirect_uris.${at}`, address]),
    ...(page === null ? [] : [['frontchannel_logout_uri', page] satisfies [string, string]]),
  ];
}

/**
 * Requires https for every URL in a service provider's metadata that browsers are redirected to.
 * @param before the saved metadata; its URLs can stay
 * @throws Refusal INVALID_REQUEST
 */
export async function requireEncryptedProvider(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  locations: readonly string[],
  before?: string,
): Promise<void> {
  const open = locations.filter((address) => requiresHttps(config, address));
  if (open.length === 0) return;
  const known = before === undefined ? [] : (await readProvider(before, clock.now())).locations;
  const added = open.find((address) => !known.includes(address));
  if (added === undefined) return;
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'metadata', message: `${added}: ${HTTPS_REQUIRED_MESSAGE}` }],
  });
}
