import { applicationRepo } from '@orchestrate/db';
import { appLoginCookie } from '../../app-logins/app-login-cookie.ts';
import { beginAppTry } from '../../app-tries/begin-app-try.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { oidcTryAddress, oidcTryPath } from '../../protocols/oidc/try-address.ts';

export interface Attempt {
  orgCode: string;
  appId: string;
  /** The administrator. */
  suid: string;
}

/**
 * Begins a try of an application's saved settings.
 * @returns where the browser goes, and the `Set-Cookie` header that ties the try to it
 * @throws Refusal 38; 6 for applications that speak neither OIDC nor SAML
 */
export async function beginTry(deps: Deps, { orgCode, appId, suid }: Attempt) {
  const application = applicationRepo.findApplication(deps.db, orgCode, appId);
  if (!application) throw new Refusal('ORG_APP_MISSING');
  const { integrationType: protocol } = application;
  if (protocol !== 'oidc') throw new Refusal('UNSUPPORTED_ACTION');
  const begun = beginAppTry(deps, { orgCode, appId, protocol, suid });
  return {
    tryId: begun.id,
    url: oidcTryAddress(deps, { orgCode, appId }, begun),
    cookie: appLoginCookie(deps, { ...begun, path: '/' }, oidcTryPath(orgCode)),
  };
}
