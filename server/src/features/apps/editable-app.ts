import { applicationRepo, serviceProviderRepo, type Tx } from '@orchestrate/db';

/**
 * What of an application is edited, on all tabs of its editor. Client secrets are not: each is made and deleted by itself.
 * @param app as the database has it now
 */
export function editableApp(tx: Tx, app: applicationRepo.ApplicationRow): object {
  const { orgCode, appId, createdAt: _since, nameKey: _key, integrationType, ...common } = app;
  const client = integrationType === 'oidc' && applicationRepo.findOidcClient(tx, orgCode, appId);
  const provider = integrationType === 'saml' && serviceProviderRepo.findServiceProvider(tx, orgCode, appId);
  return { ...common, client, provider };
}

/** An application as the audit trail names it. */
export const applicationObject = ({ appId, name }: Pick<applicationRepo.ApplicationRow, 'appId' | 'name'>) =>
  ({ type: 'application', id: appId, name }) as const;
