import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { withoutEmptySecret } from '../clients/empty-secrets.ts';
import type { ClientAttempts } from '../clients/limit-attempts.ts';
import { withStoredJwt } from '../tokens/jwt-access-tokens.ts';
import type { lifetimes } from '../tokens/lifetimes.ts';
import type { SignToken } from '../tokens/tamper-token.ts';
import { acceptBackchannelAudience } from './accept-backchannel-audience.ts';
import { addAccessTokenHash } from './add-access-token-hash.ts';
import { allowZeroLifetimes } from './allow-zero-lifetimes.ts';
import { applyLabToTokens } from './apply-lab-to-tokens.ts';
import { boundBodies } from './bound-bodies.ts';
import { deriveRefreshTokens } from './derive-refresh-tokens.ts';
import { implyConsent } from './imply-consent.ts';
import { issueJwtAccessTokens } from './issue-jwt-access-tokens.ts';
import { overrideClientChecks } from './override-client-checks.ts';
import { releaseAppClaims } from './release-app-claims.ts';
import { rewriteBodies } from './rewrite-bodies.ts';
import { storeSignInDetails } from './store-sign-in-details.ts';

interface Parts {
  deps: Deps;
  orgCode: string;
  /** Signs with the organisation's keys. */
  sign: SignToken;
  ttl: ReturnType<typeof lifetimes>;
  attempts: ClientAttempts;
  /** Returns the context of the current request. */
  currentContext: () => KoaContextWithOIDC | undefined;
}

/**
 * Overrides oidc-provider behaviour that no option, event or middleware can change. The overrides are listed in
 * docs/architecture.md, and `library-seams.test.ts` fails if an update moves anything they rely on. Must run before
 * the provider's first request. The two overrides of `IdToken.issue` are independent: one adds a claim before
 * signing, the other signs again afterwards.
 */
export function installOverrides(
  provider: Provider,
  { deps, orgCode, sign, ttl, attempts, currentContext }: Parts,
): void {
  overrideClientChecks(deps, orgCode, provider, attempts);
  boundBodies(provider);
  rewriteBodies(provider, (ctx, body) => withStoredJwt(ctx, withoutEmptySecret(deps, orgCode, ctx, body)));
  implyConsent(provider);
  acceptBackchannelAudience(deps, provider);
  storeSignInDetails(provider);
  allowZeroLifetimes(provider, ttl);
  deriveRefreshTokens(deps, orgCode, provider, currentContext);
  releaseAppClaims(provider);
  issueJwtAccessTokens(deps, orgCode, provider);
  addAccessTokenHash(provider, currentContext);
  applyLabToTokens(deps, orgCode, provider, sign);
}
