import { applicationRepo, clientSecretRepo, type memberRepo } from '@orchestrate/db';
import { type contract, type FieldsOf, hasSignIn } from '@orchestrate/shared';
import { mayUseApplication } from '../../core/sign-in/app-users.ts';
import type { Deps } from '../../deps.ts';
import { idpAddresses } from '../../platform/own-addresses.ts';
import { oidcConfigurationOf } from './oidc-configuration-of.ts';

type OwnApp = FieldsOf<typeof contract.listOwnApps>['apps'][number];

/** The applications that a member opens in a browser and may sign in to, by name, each with where it is opened. */
export function ownApps(
  { db, clock, publicUrl }: Deps,
  member: Pick<memberRepo.MemberRow, 'orgCode' | 'suid' | 'roleCode'>,
): OwnApp[] {
  const { orgCode } = member;
  return applicationRepo.listApplications(db, orgCode).flatMap((app) => {
    if (!mayUseApplication(db, app, member)) return [];
    if (app.integrationType === 'oidc') {
      const client = applicationRepo.findOidcClient(db, orgCode, app.appId);
      if (!client || !hasSignIn(client.kind)) return [];
      const secrets = clientSecretRepo.listClientSecrets(db, orgCode, app.appId);
      const { isClosed } = oidcConfigurationOf(client, secrets, { publicUrl, now: clock.now() });
      return isClosed ? [] : [ownApp(app, app.startUrl)];
    }
    if (app.integrationType !== 'saml') return [];
    return [ownApp(app, app.startUrl ?? idpAddresses(publicUrl, app).singleSignOnUrl)];
  });
}

const ownApp = (
  { appId, name, description, logo }: applicationRepo.ApplicationRow,
  opensAt: string | null,
): OwnApp => ({
  appId,
  name,
  description,
  logo,
  opensAt,
});
