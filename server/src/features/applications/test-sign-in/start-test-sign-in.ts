import { applicationRepo } from '@orchestrate/db';
import { hasCallback } from '@orchestrate/shared';
import { requireApplication } from '#core/applications.ts';
import { startTestSignIn as createTestSignIn } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { oidcTestUrl } from '#protocols/oidc/test-sign-in/test-sign-in-url.ts';
import { samlTestUrl } from '#protocols/saml/test-sign-in.ts';

export interface TestSignInRequest {
  orgCode: string;
  appId: string;
  /** The administrator running the test. */
  suid: string;
  /** The administrator's browser; see `identifyBrowser`. */
  browser: string;
}

/**
 * Starts a test sign-in with an application's saved settings.
 * @returns the URL to open in the browser
 * @throws Refusal ORG_APP_MISSING; UNSUPPORTED_ACTION if the application uses neither OIDC nor SAML, or doesn't send
 * browsers back to the portal
 */
export async function startTestSignIn(deps: Deps, { orgCode, appId, ...by }: TestSignInRequest) {
  const { integrationType: protocol } = requireApplication(deps.db, orgCode, appId);
  if (protocol !== 'oidc' && protocol !== 'saml') throw new Refusal('UNSUPPORTED_ACTION');
  const client = applicationRepo.findOidcClient(deps.db, orgCode, appId);
  if (client && !hasCallback(client.kind, client.redirectUris)) throw new Refusal('UNSUPPORTED_ACTION');
  const started = createTestSignIn(deps, { orgCode, appId, protocol, ...by });
  const application = { orgCode, appId };
  const url =
    protocol === 'oidc' ? oidcTestUrl(deps, application, started) : samlTestUrl(deps, application, started.id);
  return { tryId: started.id, url };
}
