import type { organisationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireAppSignIn } from '../app-logins/require-app-login.ts';
import type { Requester } from '../challenges/begin.ts';
import { type LoginPolicy, loginPolicyOf, portalLoginPolicy } from '../login-policy.ts';

/** What the member signs in to: the portal or an application. */
export interface Destination {
  kind: 'login' | 'app-login';
  policy: LoginPolicy;
  appName?: string;
  appLoginId?: string;
}

/**
 * Returns the destination of a sign-in.
 * @throws Refusal ID_DOESNOT_EXIST if this browser didn't start a sign-in to an application of this organisation;
 * EXPIRED
 */
export function destinationOf(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  { appLoginId }: { appLoginId?: string | undefined },
  { browser }: Pick<Requester, 'browser'>,
): Destination {
  if (appLoginId === undefined) return { kind: 'login', policy: portalLoginPolicy(deps.db, organisation) };
  const { appLogin, application } = requireAppSignIn(deps, { id: appLoginId, browser });
  if (appLogin.orgCode !== organisation.orgCode) throw new Refusal('ID_DOESNOT_EXIST');
  const policy = loginPolicyOf(organisation, application);
  const stepUpAuthEnabled = policy.stepUpAuthEnabled || appLogin.needsStepUp;
  return { kind: 'app-login', policy: { ...policy, stepUpAuthEnabled }, appName: application.name, appLoginId };
}
