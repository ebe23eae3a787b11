import { applicationRepo, clientSecretRepo, radiusLdapClientRepo } from '@orchestrate/db';
import {
  type Application,
  type ApplicationDetail,
  type ClientKind,
  hasSignIn,
  type LdapConfiguration,
  type OidcConfiguration,
  type RadiusConfiguration,
} from '@orchestrate/shared';
import { baseDnOf, requireApplication, serviceDnOf } from '#core/applications.ts';
import { isWeakSecret } from '#core/weak-secret.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import type { Version } from '#platform/http/versions.ts';
import { isoOf } from '#platform/times.ts';
import { appUsersOf } from './app-users.ts';
import { editableAppFields } from './editable-app.ts';
import { oidcConfigurationOf } from './oidc/oidc-configuration-of.ts';
import { DEFAULT_RADIUS_METHOD, isSecretInUse } from './radius-ldap.ts';
import { findSamlConfiguration } from './saml/saml-configuration.ts';

/** Returns an application as a list item. @param kind client kind, for OpenID Connect applications */
export function applicationOf(row: applicationRepo.ApplicationRow, kind: ClientKind | undefined): Application {
  return {
    appId: row.appId,
    orgCode: row.orgCode,
    name: row.name,
    description: row.description,
    integrationType: row.integrationType,
    hasSignIn: kind === undefined || hasSignIn(kind),
    startUrl: row.startUrl ?? '',
    logo: row.logo,
    maxCookieLife: row.maxCookieLife,
    didEnabled: row.didEnabled,
    webAuthnEnabled: row.webAuthnEnabled,
    desktopAppEnabled: row.desktopAppEnabled,
    forceAuthnEnabled: row.forceAuthnEnabled,
  };
}

/** Returns the configuration that RADIUS clients need, or null if this isn't a RADIUS application. */
async function radiusConfigurationOf(
  { db, config, ports, publicUrl }: Deps,
  app: applicationRepo.ApplicationRow,
): Promise<RadiusConfiguration | null> {
  const { orgCode, appId, integrationType } = app;
  if (integrationType !== 'radius') return null;
  await ports.radius?.settled();
  const at = ports.radius?.of(orgCode) ?? 'off';
  const { secret, method } = radiusLdapClientRepo.findRadiusLdapClient(db, orgCode, appId) ?? {
    secret: '',
    method: DEFAULT_RADIUS_METHOD,
  };
  const isWeak = isWeakSecret(secret) && !isLocalPortal(config);
  return {
    host: new URL(publicUrl).hostname,
    port: typeof at === 'number' ? at : null,
    noPort: typeof at === 'number' ? null : at,
    secret,
    secretProblem: isWeak ? 'weak' : isSecretInUse(db, app, secret) ? 'duplicate' : null,
    method,
  };
}

/** Returns the configuration that LDAP clients need, or null if this isn't an LDAP application. */
function ldapConfigurationOf(
  { db, ports, publicUrl }: Deps,
  application: applicationRepo.ApplicationRow,
): LdapConfiguration | null {
  const { orgCode, appId, integrationType } = application;
  if (integrationType !== 'ldap') return null;
  return {
    host: new URL(publicUrl).hostname,
    port: ports.ldap,
    tlsPort: ports.ldaps,
    baseDn: baseDnOf(application),
    bindDn: serviceDnOf(application),
    secret: radiusLdapClientRepo.findRadiusLdapClient(db, orgCode, appId)?.secret ?? '',
  };
}

/**
 * Returns an application with its configuration. @param version included in the result. @throws Refusal
 * ORG_APP_MISSING
 */
export async function applicationDetail(
  deps: Deps,
  orgCode: string,
  appId: string,
  version?: Version,
): Promise<ApplicationDetail> {
  const row = requireApplication(deps.db, orgCode, appId);
  version?.answer(editableAppFields(deps.db, row));
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
