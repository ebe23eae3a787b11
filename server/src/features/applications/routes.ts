import {
  apiResourceRepo,
  applicationRepo,
  clientSecretRepo,
  loginHistoryRepo,
  logoRepo,
  type memberRepo,
  radiusLdapClientRepo,
  serviceProviderRepo,
  type Tx,
} from '@orchestrate/db';
import {
  type ClientSecret,
  contract,
  type FieldsOf,
  hasSignIn,
  isPublicKind,
  LIMITS,
  type RequestOf,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { appIdFor } from '#core/app-id.ts';
import { mayUseApplication, requireApplication } from '#core/applications.ts';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { requiresHttps } from '#core/requires-https.ts';
import { readProvider } from '#core/saml-metadata/read-service-provider.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { isForSamlOnly } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { idpAddresses } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { appLogoUrl, deleteAppLogo, saveAppLogo } from './app-logo.ts';
import { applicationDetail, applicationOf } from './application-detail.ts';
import { createApp, insertClientWithSecret, MANUALLY_REGISTERED, recordAppCreated } from './create-app.ts';
import { deleteApp } from './delete-app.ts';
import { applicationObject } from './editable-app.ts';
import { insertWithUniqueId, loginDefaults } from './insert-with-unique-id.ts';
import { apiResourceOf, createApiResource, deleteApiResource, updateApiResource } from './oidc/api-resources.ts';
import { clientSecretOf, oidcConfigurationOf } from './oidc/oidc-configuration-of.ts';
import { registrationEndpoint } from './oidc/register-client.ts';
import { registration } from './oidc/registration-routes.ts';
import { createRegistrationToken, registrationTokensOf, revokeRegistrationToken } from './oidc/registration-tokens.ts';
import { replaceSharedSecret, saveNetworkSettings } from './radius-ldap.ts';
import { browserAddressesOf } from './saml/require-encrypted.ts';
import { samlApps } from './saml/saml-routes.ts';
import { requireReadOnlyUnchanged, updateApp } from './update-app.ts';

type NewSecret = RequestOf<typeof contract.createClientSecret>['body'];

/**
 * Adds a secret to an OIDC application.
 * @throws Refusal ORG_APP_MISSING; INVALID_REQUEST if the application isn't OIDC or its client is public, if it has
 * too many secrets, or if the new secret has already expired
 */
function addClientSecret(deps: Deps, actor: AuditActor, appId: string, secret: NewSecret): ClientSecret {
  const { orgCode } = actor;
  const { db, random, clock } = deps;
  const now = clock.now();
  const expiresAt = secret.expiresAt === null ? null : Date.parse(secret.expiresAt);
  if (expiresAt !== null && expiresAt <= now) throw refused('expiresAt', 'Choose a time in the future');
  const row = {
    id: random.id(),
    orgCode,
    appId,
    name: secret.name,
    secret: random.secret(),
    createdAt: now,
    expiresAt,
  };
  db.transaction((tx) => {
    const app = requireApplication(tx, orgCode, appId);
    if (app.integrationType !== 'oidc') {
      throw refused('appId', 'Only OIDC applications have client secrets');
    }
    const client = applicationRepo.findOidcClient(tx, orgCode, appId);
    if (client && isPublicKind(client.kind)) {
      throw refused('appId', 'Public clients have no secrets. They use PKCE instead');
    }
    const existing = clientSecretRepo.listClientSecrets(tx, orgCode, appId);
    if (existing.length >= LIMITS.clientSecrets) {
      throw refused('name', `You can have at most ${LIMITS.clientSecrets} secrets. Delete one first`);
    }
    clientSecretRepo.insertClientSecret(tx, row);
    const after = factsOf({ secretName: row.name, expiresAt: secret.expiresAt });
    record(deps, tx, actor, { action: 'application.secret-added', object: applicationObject(app), after });
  });
  return clientSecretOf({ ...row, lastUsedAt: null });
}

/** Revokes a client secret. @throws Refusal ORG_APP_MISSING; ID_DOESNOT_EXIST if the secret doesn't exist */
function revokeClientSecret(deps: Deps, actor: AuditActor, appId: string, secretId: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const app = requireApplication(tx, orgCode, appId);
    const secret = clientSecretRepo.listClientSecrets(tx, orgCode, appId).find(({ id }) => id === secretId);
    if (!secret) throw new Refusal('ID_DOESNOT_EXIST');
    clientSecretRepo.deleteClientSecret(tx, orgCode, appId, secretId);
    const before = { secretName: secret.name };
    record(deps, tx, actor, { action: 'application.secret-deleted', object: applicationObject(app), before });
  });
}

const refused = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });

/**
 * Creates an application with another application's settings. The copy gets new secrets, but not the original's keys
 * or SCIM service.
 * @returns the copy's ID. @throws Refusal ORG_APP_MISSING; ORG_APP_ALREADY_EXISTS if the name is taken;
 * INVALID_REQUEST if one of the original's addresses must now use https
 */
async function duplicateApp(deps: Deps, actor: AuditActor, appId: string, name: string): Promise<string> {
  const { orgCode } = actor;
  await requireEncrypted(deps, orgCode, appId);
  return deps.db.transaction((tx) => {
    const { appId: _id, createdAt: _since, nameKey: _key, ...settings } = requireApplication(tx, orgCode, appId);
    const copy = { orgCode, appId: insertWithUniqueId(deps, tx, { ...settings, name, logo: null }) };
    copyLogo(tx, { orgCode, appId }, copy.appId);
    const client = applicationRepo.findOidcClient(tx, orgCode, appId);
    if (client) insertClientWithSecret(deps, tx, { ...client, ...WITHOUT_KEYS, ...MANUALLY_REGISTERED, ...copy });
    const provider = serviceProviderRepo.findServiceProvider(tx, orgCode, appId);
    if (provider) serviceProviderRepo.insertServiceProvider(tx, { ...provider, ...copy });
    const network = radiusLdapClientRepo.findRadiusLdapClient(tx, orgCode, appId);
    if (network) saveNetworkSettings(deps, tx, { ...settings, ...copy }, { method: network.method });
    recordAppCreated(deps, tx, actor, copy.appId);
    return copy.appId;
  });
}

function copyLogo(tx: Tx, { orgCode, appId }: { orgCode: string; appId: string }, to: string): void {
  const picture = logoRepo.findAppLogo(tx, orgCode, appId);
  if (!picture) return;
  logoRepo.saveAppLogo(tx, { ...picture, appId: to });
  applicationRepo.changeApplication(tx, orgCode, to, { logo: appLogoUrl(orgCode, to, picture.etag) });
}

async function requireEncrypted({ config, db, clock }: Deps, orgCode: string, appId: string): Promise<void> {
  const client = applicationRepo.findOidcClient(db, orgCode, appId);
  const provider = serviceProviderRepo.findServiceProvider(db, orgCode, appId);
  const addresses = [
    ...(client ? browserAddressesOf(client).map(([, address]) => address) : []),
    ...(provider ? (await readProvider(provider.metadata, clock.now())).locations : []),
  ];
  const open = addresses.find((address) => requiresHttps(config, address));
  if (open === undefined) return;
  throw new Refusal('INVALID_REQUEST', {
    message: `${open} must use https. Change it before you duplicate this application.`,
  });
}

const WITHOUT_KEYS = { jwks: null, jwksUri: null } as const;

type OwnApp = FieldsOf<typeof contract.listOwnApps>['apps'][number];

/** Number of a member's latest sign-ins that are searched for the last one to each application. */
const LATEST_SIGN_INS = 200;

/** Returns the time of a member's last sign-in to each application, among their latest sign-ins. */
function lastSignInsOf({ db }: Deps, { orgCode, suid }: Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>) {
  const latest = loginHistoryRepo.listLoginHistory(db, orgCode, suid, { count: LATEST_SIGN_INS });
  const succeeded = latest.filter(({ loginStatus }) => loginStatus === 'Success');
  return new Map(succeeded.reverse().map(({ appId, timestamp }) => [appId, timestamp]));
}

/** Returns the applications that a member can open in a browser, sorted by name, each with its start address. */
function ownApps(deps: Deps, member: Pick<memberRepo.MemberRow, 'orgCode' | 'suid' | 'roleCode'>): OwnApp[] {
  const { db, clock, publicUrl } = deps;
  const { orgCode } = member;
  const lastSignIns = lastSignInsOf(deps, member);
  const ownApp = (
    { appId, name, description, logo }: applicationRepo.ApplicationRow,
    opensAt: string | null,
  ): OwnApp => {
    const lastSignInAt = isoOf(lastSignIns.get(appId) ?? null);
    return { appId, name, description, logo, opensAt, lastSignInAt };
  };
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

/** Returns the initial form values for a new SAML application. */
function samlDefaults() {
  return {
    samlNameId: 'primaryEmail',
    samlNameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    samlNameIdTransformationTemplate: '',
    samlAttributes: ['primaryEmail', 'firstName', 'lastName'],
  };
}

/** Registers the endpoints for an organisation's applications. */
export function applications(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  implement(app, deps, contract.listApiResources, ({ caller: { orgCode } }) => ({
    resources: apiResourceRepo.listApiResources(db, orgCode).map(apiResourceOf),
  }));
  implement(app, deps, contract.createApiResource, ({ actor, body }) => ({
    resource: apiResourceOf(createApiResource(deps, actor, body)),
  }));
  implement(app, deps, contract.updateApiResource, ({ actor, params: { resourceId }, body, version }) => ({
    resource: apiResourceOf(updateApiResource(deps, actor, resourceId, body, version)),
  }));
  implement(app, deps, contract.deleteApiResource, ({ actor, params: { resourceId } }) => {
    deleteApiResource(deps, actor, resourceId);
    return {};
  });

  registration(app, deps);
  implement(app, deps, contract.listRegistrationTokens, ({ caller: { orgCode } }) => ({
    endpoint: registrationEndpoint(deps.publicUrl, orgCode),
    tokens: registrationTokensOf(deps, orgCode),
  }));
  implement(app, deps, contract.createRegistrationToken, ({ actor, body }) =>
    createRegistrationToken(deps, actor, body),
  );
  implement(app, deps, contract.revokeRegistrationToken, ({ actor, params: { tokenId } }) => {
    revokeRegistrationToken(deps, actor, tokenId);
    return {};
  });

  implement(app, deps, contract.listApps, ({ caller }) => {
    const all = applicationRepo.listApplications(db, caller.orgCode);
    const shown = isForSamlOnly(caller, contract.listApps.access)
      ? all.filter(({ integrationType }) => integrationType === 'saml')
      : all;
    const kinds = applicationRepo.listClientKinds(db, caller.orgCode);
    return { apps: shown.map((app) => applicationOf(app, kinds.get(app.appId))) };
  });

  implement(app, deps, contract.getDefaultLoginOptions, ({ caller: { orgCode } }) => ({
    result: { ...loginDefaults(db, orgCode), ...samlDefaults() },
  }));

  implement(app, deps, contract.validateAppName, ({ caller: { orgCode }, body: { appName, appId } }) => ({
    result: {
      proposedAppId: appIdFor(appName, applicationRepo.listAppIds(db, orgCode)),
      available: applicationRepo.findAppIdByName(db, orgCode, appName, appId) === undefined,
    },
  }));

  implement(app, deps, contract.getApp, async ({ caller: { orgCode }, params: { appId }, version }) => ({
    app: await applicationDetail(deps, orgCode, appId, version),
  }));

  implement(app, deps, contract.createApp, async ({ caller: { orgCode }, actor, body }) => ({
    app: await applicationDetail(deps, orgCode, createApp(deps, actor, body)),
  }));

  implement(app, deps, contract.updateApp, async ({ caller: { orgCode }, actor, params: { appId }, body, version }) => {
    await requireReadOnlyUnchanged(deps, orgCode, appId, body);
    updateApp(deps, actor, appId, body, version);
    return { app: await applicationDetail(deps, orgCode, appId, version) };
  });

  implement(app, deps, contract.duplicateApp, async ({ actor, params: { appId }, body: { name } }) => ({
    appId: await duplicateApp(deps, actor, appId, name),
  }));

  implement(app, deps, contract.saveAppLogo, ({ actor, params: { appId }, file }) =>
    saveAppLogo(deps, actor, appId, file),
  );

  implement(app, deps, contract.deleteAppLogo, ({ actor, params: { appId } }) => {
    deleteAppLogo(deps, actor, appId);
    return {};
  });

  implement(app, deps, contract.listOwnApps, ({ caller }) => ({ apps: ownApps(deps, caller) }));

  implement(app, deps, contract.deleteApp, ({ actor, params: { appId } }) => {
    deleteApp(deps, actor, appId);
    return {};
  });

  implement(app, deps, contract.replaceSharedSecret, ({ actor, params: { appId }, body }) => ({
    secret: replaceSharedSecret(deps, actor, appId, body.secret),
  }));

  implement(app, deps, contract.createClientSecret, ({ actor, params: { appId }, body }) => ({
    secret: addClientSecret(deps, actor, appId, body),
  }));

  implement(app, deps, contract.deleteClientSecret, ({ actor, params: { appId, secretId } }) => {
    revokeClientSecret(deps, actor, appId, secretId);
    return {};
  });

  samlApps(app, deps);
}
