import { applicationRepo, clientSecretRepo } from '@orchestrate/db';
import type { ApplicationDetail, OidcConfiguration } from '@orchestrate/shared';
import { requireApplication } from '../../core/require-application.ts';
import type { Deps } from '../../deps.ts';
import type { Version } from '../../platform/http/versions.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { appUsersOf } from './app-users.ts';
import { applicationOf } from './application-of.ts';
import { editableApp } from './editable-app.ts';
import { ldapConfigurationOf, radiusConfigurationOf } from './network-configuration.ts';
import { oidcConfigurationOf } from './oidc-configuration-of.ts';
import { findSamlConfiguration } from './saml-configuration.ts';

/** An application with its configuration. @param version sent with the answer. @throws Refusal ORG_APP_MISSING */
export async function applicationDetail(
  deps: Deps,
  orgCode: string,
  appId: string,
  version?: Version,
): Promise<ApplicationDetail> {
  const row = requireApplication(deps.db, orgCode, appId);
  version?.answer(editableApp(deps.db, row));
  const oidcConfiguration = findOidcConfiguration(deps, orgCode, appId);
  return {
    ...applicationOf(row, oidcConfiguration?.clients.kind),
    createdAt: isoOf(row.createdAt),
    usableBy: appUsersOf(deps.db, row),
    oidcConfiguration,
    samlConfiguration: await findSamlConfiguration(deps, row),
    radiusConfiguration: await radiusConfigurationOf(deps, row),
    ldapConfiguration: ldapConfigurationOf(deps, row),
  };
}

function findOidcConfiguration(deps: Deps, orgCode: string, appId: string): OidcConfiguration | null {
  const { db, clock, publicUrl } = deps;
  const client = applicationRepo.findOidcClient(db, orgCode, appId);
  if (!client) return null;
  const secrets = clientSecretRepo.listClientSecrets(db, orgCode, appId);
  return oidcConfigurationOf(client, secrets, { publicUrl, now: clock.now() });
}
