import { applicationRepo, organisationRepo, serviceProviderRepo, type Tx } from '@orchestrate/db';
import { type contract, FIELD_REQUIRED, type RequestOf } from '@orchestrate/shared';
import { requireApplication } from '#core/applications.ts';
import { record } from '#core/audit/record.ts';
import { requireEncryptionKey } from '#core/saml-metadata/encryption-key.ts';
import { readProvider } from '#core/saml-metadata/read-service-provider.ts';
import { samlColumns } from '#core/saml-metadata/saml-columns.ts';
import { samlFieldIssues } from '#core/saml-metadata/saml-field-issues.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireAppUsers } from '../app-users.ts';
import { applicationDetail } from '../application-detail.ts';
import { recordAppCreated } from '../create-app.ts';
import { applicationObject, editableAppFields, factsOfApp } from '../editable-app.ts';
import { insertWithUniqueId } from '../insert-with-unique-id.ts';
import { requireEncryptedProvider } from './require-encrypted.ts';

type NewSamlApp = RequestOf<typeof contract.createSamlApp>['body'];
type SamlAppChange = RequestOf<typeof contract.updateSamlApp>['body'];

/**
 * Creates a SAML application. @returns the application's ID.
 * @throws Refusal ORG_APP_ALREADY_EXISTS; INVALID_REQUEST for errors in metadata or fields
 */
export async function createSamlApp(deps: Deps, actor: AuditActor, app: NewSamlApp): Promise<string> {
  await requireServiceProvider(deps, app);
  return insertSamlApp(deps, actor, app, { proposedId: app.appId });
}

/**
 * Creates a SAML application from metadata that has been read. @param named the ID, or the text it is derived from
 * @throws Refusal as `createSamlApp`
 */
export function insertSamlApp(
  deps: Deps,
  actor: AuditActor,
  app: Omit<NewSamlApp, 'orgCode' | 'appId'>,
  named: Parameters<typeof insertWithUniqueId>[3],
): string {
  const { orgCode } = actor;
  const { name, description, maxCookieLife, flags, startUrl } = app;
  const row = {
    metadata: app.metadata,
    redirectUrl: app.redirectUrl,
    nameId: app.samlNameId,
    nameIdFormat: app.samlNameIdFormat,
    nameIdTransformationTemplate: app.samlNameIdTransformationTemplate,
    attributes: app.samlAttributes,
    attributesConfig: app.samlAttributesConfig,
    encryptAssertions: app.encryptAssertions,
  };
  return deps.db.transaction((tx) => {
    requireFields(tx, orgCode, row);
    const own = { orgCode, name, description, integrationType: 'saml' as const, startUrl: startUrl || null };
    const application = { ...own, maxCookieLife, ...flags };
    const appId = insertWithUniqueId(deps, tx, application, named);
    serviceProviderRepo.insertServiceProvider(tx, { orgCode, appId, ...row });
    recordAppCreated(deps, tx, actor, appId);
    return appId;
  });
}

/**
 * Updates a SAML application with the fields in the request. @throws StaleVersion; Refusal ORG_APP_MISSING, also if
 * the application doesn't use SAML; ORG_APP_ALREADY_EXISTS; INVALID_REQUEST as in `createSamlApp`
 */
export async function updateSamlApp(
  deps: Deps,
  actor: AuditActor,
  appId: string,
  body: SamlAppChange,
  version: Version,
): Promise<void> {
  await requireServiceProvider(deps, body, serviceProviderRepo.findServiceProvider(deps.db, actor.orgCode, appId));
  changeSamlApp(deps, actor, appId, body, version);
}

/** Updates a SAML application with metadata that has been read. @throws StaleVersion; Refusal as `updateSamlApp` */
export function changeSamlApp(
  deps: Deps,
  actor: AuditActor,
  appId: string,
  body: SamlAppChange,
  version: Version,
): void {
  const { orgCode } = actor;
  const { name, description, maxCookieLife, flags, startUrl, usableBy, ...saml } = body;
  const change = samlColumns(saml);
  deps.db.transaction((tx) => {
    const before = serviceProviderRepo.findServiceProvider(tx, orgCode, appId);
    if (!before) throw new Refusal('ORG_APP_MISSING');
    const application = requireApplication(tx, orgCode, appId);
    const editable = editableAppFields(tx, application);
    const factsBefore = factsOfApp(tx, application);
    const present = () => applicationDetail(deps, orgCode, appId);
    version.require(tx, { orgCode, id: appId, editable, present });
    if (saml.redirectUrl === '' && before.redirectUrl !== '') throw redirectUrlMissing();
    requireFields(tx, orgCode, { ...before, ...change });
    requireAppUsers(tx, application, usableBy);
    const isDone = applicationRepo.changeApplication(tx, orgCode, appId, {
      name,
      description,
      maxCookieLife,
      usableBy,
      ...(startUrl !== undefined && { startUrl: startUrl || null }),
      ...flags,
    });
    if (!isDone) throw new Refusal('ORG_APP_ALREADY_EXISTS');
    serviceProviderRepo.changeServiceProvider(tx, orgCode, appId, change);
    const now = requireApplication(tx, orgCode, appId);
    const facts = { before: factsBefore, after: factsOfApp(tx, now) };
    record(deps, tx, actor, { action: 'application.updated', object: applicationObject(now), ...facts });
  });
}

/**
 * Reads the metadata of an application to save. @param before the saved metadata
 * @throws Refusal INVALID_REQUEST if the metadata can't be used, has no encryption key, or adds a URL without https
 */
export async function requireServiceProvider(
  deps: Deps,
  { metadata, encryptAssertions }: { metadata?: string | undefined; encryptAssertions?: boolean | undefined },
  before?: { metadata: string; encryptAssertions: boolean },
): Promise<void> {
  if (metadata !== undefined) {
    const { locations } = await readProvider(metadata, deps.clock.now());
    await requireEncryptedProvider(deps, locations, before?.metadata);
  }
  const nextMetadata = metadata ?? before?.metadata;
  const isEncrypted = encryptAssertions ?? before?.encryptAssertions ?? false;
  if (nextMetadata !== undefined && isEncrypted) await requireEncryptionKey(nextMetadata);
}

const redirectUrlMissing = () =>
  new Refusal('INVALID_REQUEST', { issues: [{ path: 'redirectUrl', message: FIELD_REQUIRED }] });

/** Requires valid member attributes. @throws Refusal INVALID_REQUEST that lists all errors */
function requireFields(tx: Tx, orgCode: string, row: Parameters<typeof samlFieldIssues>[0]): void {
  const primaryAttrField = organisationRepo.findOrganisation(tx, orgCode)?.primaryAttrField ?? '';
  const issues = samlFieldIssues(row, primaryAttrField);
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}
