import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { successorOf } from '../provider/model-store.ts';

/**
 * Derives each refresh token from the token it replaces. Concurrent refreshes then get the same successor and form a
 * single chain, as with the portal's own refresh (decision 011). No option: `rotateRefreshToken` only decides whether
 * to rotate, and the new token is random. Checked with oidc-provider 9.13.3, whose `BaseModel.save` generates an ID
 * only if the model has none.
 */
export function deriveRefreshTokens(
  deps: Pick<Deps, 'tokens'>,
  orgCode: string,
  { RefreshToken: { prototype } }: Provider,
  currentContext: () => KoaContextWithOIDC | undefined,
): void {
  const { save } = prototype;
  prototype.save = async function saveAsSuccessor() {
    const replaced = currentContext()?.oidc.entities.RotatedRefreshToken?.jti;
    if (replaced !== undefined) this.jti ||= successorOf(deps, orgCode, replaced);
    return save.call(this);
  };
}
