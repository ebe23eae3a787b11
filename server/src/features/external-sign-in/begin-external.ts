import { externalSignInRepo, organisationRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import { loginPolicyOf } from '../../core/sign-in/login-policy.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { isAllowedIp } from '../../platform/http/callers/allowed-ip.ts';
import { callbackAddress } from '../../platform/own-addresses.ts';
import { ExternalSignInFailed } from './failure.ts';
import type { Providers } from './provider.ts';

/** How long a person may take at the provider. */
const LIFETIME = 10 * MINUTE;

export interface Beginning {
  orgCode: string;
  /** See `identifyBrowser`. */
  browser: string;
  ip: string;
}

/** Begins a sign-in through the organisation's provider. @returns the provider's page @throws ExternalSignInFailed */
export async function beginExternal(deps: Deps, providers: Providers, beginning: Beginning): Promise<URL> {
  const { db, clock, random } = deps;
  const { orgCode, browser, ip } = beginning;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new ExternalSignInFailed('unknown-organisation');
  if (!isAllowedIp(ip, organisation.allowedIps)) throw new ExternalSignInFailed('ip-blocked', orgCode);
  const { client, configuration } = await providers.of(organisation);
  const [state, nonce, codeVerifier] = [random.secret(), random.secret(), random.secret()];
  const now = clock.now();
  externalSignInRepo.insertExternalSignIn(db, {
    orgCode,
    nonce,
    codeVerifier,
    stateHash: hashSecret(state),
    browser,
    createdAt: now,
    expiresAt: now + LIFETIME,
  });
  const { forceAuthnEnabled } = loginPolicyOf(organisation, undefined);
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackAddress(deps),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    // Where people must be asked again, having been asked at the provider this morning is not enough.
    ...(forceAuthnEnabled && { prompt: 'login' }),
  });
}
