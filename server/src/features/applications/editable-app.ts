import { applicationRepo, groupRepo, radiusLdapClientRepo, serviceProviderRepo, type Tx } from '@orchestrate/db';
import { factsOf } from '#core/audit/facts-of.ts';
import type { AuditFacts } from '#core/audit/record.ts';

/**
 * Returns an application's fields from all tabs of its editor, except secrets and the logo, which are managed
 * separately.
 * @param app the current row
 */
export function editableAppFields(tx: Tx, app: applicationRepo.ApplicationRow): object {
  const { orgCode, appId, createdAt: _since, nameKey: _key, logo: _picture, integrationType, ...common } = app;
  if (integrationType === 'oidc') {
    return { ...common, client: withoutKeys(clientOf(tx, orgCode, appId)) };
  }
  if (integrationType === 'saml') {
    return { ...common, provider: withoutKeys(serviceProviderRepo.findServiceProvider(tx, orgCode, appId)) };
  }
  if (integrationType === 'radius') {
    return { ...common, method: radiusLdapClientRepo.findRadiusLdapClient(tx, orgCode, appId)?.method };
  }
  return common;
}

/** Returns the editable fields for the audit trail, with group names instead of IDs. */
export function factsOfApp(tx: Tx, app: applicationRepo.ApplicationRow): AuditFacts {
  const { orgCode, usableBy } = app;
  const facts = factsOf(editableAppFields(tx, app));
  if (!usableBy) return facts;
  const nameOf = (groupId: string) => groupRepo.findGroup(tx, orgCode, groupId)?.displayName ?? groupId;
  return { ...facts, 'usableBy.groups': (usableBy.groups ?? []).map(nameOf) };
}

/** Returns an application's OIDC client without fields that can't be edited. */
function clientOf(tx: Tx, orgCode: string, appId: string) {
  const client = applicationRepo.findOidcClient(tx, orgCode, appId);
  if (!client) return undefined;
  const { registrationTokenHash: _secret, registeredName: _ownName, ...edited } = client;
  return edited;
}

/** Leaves out the row's key columns, which can't be edited. */
function withoutKeys<Row extends { orgCode: string; appId: string }>(row: Row | undefined) {
  if (!row) return undefined;
  const { orgCode: _organisation, appId: _app, ...edited } = row;
  return edited;
}

/** Returns an application as the object of an audit entry. */
export const applicationObject = ({ appId, name }: Pick<applicationRepo.ApplicationRow, 'appId' | 'name'>) =>
  ({ type: 'application', id: appId, name }) as const;
