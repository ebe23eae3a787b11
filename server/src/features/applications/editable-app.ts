import { applicationRepo, groupRepo, radiusLdapClientRepo, serviceProviderRepo, type Tx } from '@orchestrate/db';
import { factsOf } from '#core/audit/facts-of.ts';
import type { AuditFacts } from '#core/audit/record.ts';

/**
 * The editable parts of an application, on all tabs of its editor. Secrets and the logo are not among them: each is
 * made, replaced and deleted by itself.
 * @param app as the database has it now
 */
export function editableApp(tx: Tx, app: applicationRepo.ApplicationRow): object {
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

/** The same for the audit trail, whose readers know groups by their names. */
export function factsOfApp(tx: Tx, app: applicationRepo.ApplicationRow): AuditFacts {
  const { orgCode, usableBy } = app;
  const facts = factsOf(editableApp(tx, app));
  if (!usableBy) return facts;
  const nameOf = (groupId: string) => groupRepo.findGroup(tx, orgCode, groupId)?.displayName ?? groupId;
  return { ...facts, 'usableBy.groups': (usableBy.groups ?? []).map(nameOf) };
}

/** What nobody edits is left out. */
function clientOf(tx: Tx, orgCode: string, appId: string) {
  const client = applicationRepo.findOidcClient(tx, orgCode, appId);
  if (!client) return undefined;
  const { registrationTokenHash: _secret, registeredName: _ownName, ...edited } = client;
  return edited;
}

/** The key columns of the row are not edited. */
function withoutKeys<Row extends { orgCode: string; appId: string }>(row: Row | undefined) {
  if (!row) return undefined;
  const { orgCode: _organisation, appId: _app, ...edited } = row;
  return edited;
}

/** An application as the audit trail names it. */
export const applicationObject = ({ appId, name }: Pick<applicationRepo.ApplicationRow, 'appId' | 'name'>) =>
  ({ type: 'application', id: appId, name }) as const;
