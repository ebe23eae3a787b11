import type { Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';

/**
 * Also accepts `BACKCHANNEL_URL` endpoints as the audience of a client assertion, because a client uses the endpoint
 * URL that it calls.
 * No option: the library compares the audience before it calls `assertJwtClientAuthClaimsAndHeader`. Checked with
 * oidc-provider 9.13.3.
 */
export function acceptBackchannelAudience(
  deps: Pick<Deps, 'publicUrl' | 'backchannelUrl'>,
  { OIDCContext: { prototype } }: Provider,
): void {
  const { clientJwtAuthExpectedAudience: expected } = prototype;
  prototype.clientJwtAuthExpectedAudience = function expectBothNames() {
    const { publicUrl, backchannelUrl } = deps;
    const urls = [...expected.call(this)];
    const internal = backchannelUrl === null ? [] : urls.map((url) => backchannelUrl + url.slice(publicUrl.length));
    return new Set([...urls, ...internal]);
  };
}
