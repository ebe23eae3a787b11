import { type applicationRepo, networkClientRepo } from '@orchestrate/db';
import type { LdapConfiguration, RadiusConfiguration, RadiusMethod } from '@orchestrate/shared';
import { baseDnOf, serviceDnOf } from '../../core/ldap-names.ts';
import type { Deps } from '../../deps.ts';

/** How a RADIUS application asks until somebody chooses: with a number, so that nobody approves by habit. */
export const METHOD: RadiusMethod = 'number';

/** What clients of a RADIUS application need; null for any other. */
export function radiusConfigurationOf(
  { db, ports, publicUrl }: Deps,
  { orgCode, appId, integrationType }: applicationRepo.ApplicationRow,
): RadiusConfiguration | null {
  if (integrationType !== 'radius') return null;
  const { secret, method } = networkClientRepo.findNetworkClient(db, orgCode, appId) ?? { secret: '', method: METHOD };
  return { host: new URL(publicUrl).hostname, port: ports.radius, secret, method };
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
