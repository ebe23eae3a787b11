import type { applicationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { fullAddress } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';

type Addresses = Pick<applicationRepo.OidcClientRow, 'redirectUris' | 'frontchannelLogoutUri'>;

/**
 * Returns true if there is no front-channel logout page, or if the page, as it would be saved, shares its origin
 * (scheme, host and port) with a callback address (OpenID Connect Front-Channel Logout 1.0 §2).
 */
export function hasCallbackOrigin({ redirectUris, frontchannelLogoutUri }: Addresses): boolean {
  if (frontchannelLogoutUri === null) return true;
  const originOf = (address: string) => URL.parse(address)?.origin;
  return redirectUris.some((address) => originOf(address) === originOf(frontchannelLogoutUri));
}

export const ORIGIN_MISMATCH_MESSAGE = 'The scheme, host and port must match a callback URL';

/**
 * Requires that the front-channel logout page has the origin of a callback address.
 * @param before the saved client; a page saved before this rule existed is accepted unchanged
 * @throws Refusal INVALID_REQUEST
 */
export function requireFrontChannel(
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  after: Addresses,
  before?: Addresses,
): void {
  const isRight = ({ redirectUris, frontchannelLogoutUri }: Addresses) =>
    hasCallbackOrigin({
      redirectUris: redirectUris.map((uri) => fullAddress(publicUrl, uri)),
      frontchannelLogoutUri,
    });
  const isOld = before !== undefined && !isRight(before);
  const isChanged = after.frontchannelLogoutUri !== before?.frontchannelLogoutUri;
  if (isRight(after) || (isOld && !isChanged)) return;
  const path = 'oidcConfiguration.clients.frontchannel_logout_uri';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path, message: ORIGIN_MISMATCH_MESSAGE }] });
}
