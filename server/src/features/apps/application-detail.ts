import { applicationRepo, clientSecretRepo, type Tx } from '@orchestrate/db';
import type { ApplicationDetail, OidcConfiguration } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { isoOf } from '../../models/iso-of.ts';
import { applicationOf } from './application-of.ts';
import { oidcConfigurationOf } from './oidc-configuration-of.ts';
import { findSamlConfiguration } from './saml-configuration.ts';

/** @throws Refusal ORG_APP_MISSING, also for an application of another organisation */
export function requireApplication(tx: Tx, orgCode: string, appId: string): applicationRepo.ApplicationRow {
  const found = applicationRepo.findApplication(tx, orgCode, appId);
  if (!found) throw new Refusal('ORG_APP_MISSING');
  return found;
}

/** An application with its configuration. @throws Refusal ORG_APP_MISSING */
export async function applicationDetail(deps: Deps, orgCode: string, appId: string): Promise<ApplicationDetail> {
  const row = requireApplication(deps.db, orgCode, appId);
  return {
    ...applicationOf(row),
    createdAt: isoOf(row.createdAt),
    oidcConfiguration: findOidcConfiguration(deps, orgCode, appId),
    samlConfiguration: await findSamlConfiguration(deps, row),
  };
}

function findOidcConfiguration(deps: Deps, orgCode: string, appId: string): OidcConfiguration | null {
  const { db, clock, publicUrl } = deps;
  const client = applicationRepo.findOidcClient(db, orgCode, appId);
  if (!client) return null;
  const secrets = clientSecretRepo.listClientSecrets(db, orgCode, appId);
  return oidcConfigurationOf(client, secrets, { publicUrl, now: clock.now() });
}
