import { type applicationRepo, networkClientRepo } from '@orchestrate/db';
import type { LdapConfiguration, RadiusConfiguration } from '@orchestrate/shared';
import { baseDnOf, serviceDnOf } from '../../core/ldap-names.ts';
import { isWeakSecret } from '../../core/weak-secret.ts';
import type { Deps } from '../../deps.ts';
import { isLocalPortal } from '../../platform/http/callers/local-portal.ts';
import { hasDuplicate, METHOD } from './network-client.ts';

/** Returns what clients of a RADIUS application need; null for any other. */
export async function radiusConfigurationOf(
  { db, config, ports, publicUrl }: Deps,
  app: applicationRepo.ApplicationRow,
): Promise<RadiusConfiguration | null> {
  const { orgCode, appId, integrationType } = app;
  if (integrationType !== 'radius') return null;
  await ports.radius?.settled();
  const at = ports.radius?.of(orgCode) ?? 'off';
  const { secret, method } = networkClientRepo.findNetworkClient(db, orgCode, appId) ?? { secret: '', method: METHOD };
  const isWeak = isWeakSecret(secret) && !isLocalPortal(config);
  return {
    host: new URL(publicUrl).hostname,
    port: typeof at === 'number' ? at : null,
    noPort: typeof at === 'number' ? null : at,
    secret,
    secretProblem: isWeak ? 'weak' : hasDuplicate(db, app, secret) ? 'duplicate' : null,
    method,
  };
}

/** What clients of an LDAP application need; null for any other. */
export function ldapConfigurationOf(
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
    secret: networkClientRepo.findNetworkClient(db, orgCode, appId)?.secret ?? '',
  };
}
