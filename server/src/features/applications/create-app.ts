import { applicationRepo, clientSecretRepo, type Tx } from '@orchestrate/db';
import {
  authMethodOf,
  type contract,
  type IntegrationType,
  type loginOptions,
  type RequestOf,
  TOKEN_LIFETIMES,
} from '@orchestrate/shared';
import { requireApplication } from '#core/applications.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { requireOutsideAddress } from '#platform/adapters/fetch-outside.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { Refusal } from '#platform/refusal.ts';
import { applicationObject, factsOfApp } from './editable-app.ts';
import { insertWithUniqueId } from './insert-with-unique-id.ts';
import { requireClientKeys, requireTokenSettings } from './oidc/client-keys.ts';
import { requireFrontChannel } from './oidc/front-channel.ts';
import { oidcColumnsFromWire } from './oidc/oidc-columns-from-wire.ts';
import { requireClaims } from './oidc/require-claims.ts';
import { hasSharedSecret, notRadiusRefusal, saveNetworkSettings } from './radius-ldap.ts';
import { requireEncryptedClient } from './saml/require-encrypted.ts';

type NewApp = Omit<RequestOf<typeof contract.createApp>['body'], 'orgCode'> &
  // Login options and ID, provided only for an application imported from a file.
  Partial<Pick<applicationRepo.ApplicationRow, LoginOption | 'appId'>>;
type LoginOption = keyof typeof loginOptions.shape;

/**
 * Creates an application. Type oidc gets a client and, unless the client is public or has keys, a first secret. Types
 * radius and ldap get a shared secret.
 * @param registered for a client that registers itself
 * @returns the application's ID.
 * @throws Refusal ORG_APP_ALREADY_EXISTS if the name is taken; INVALID_REQUEST for a configuration of another
 * application type
 */
export function createApp(
  deps: Deps,
  actor: AuditActor,
  app: NewApp,
  registered: Registered = MANUALLY_REGISTERED,
): string {
  const { orgCode } = actor;
  const { appId: known, startUrl, oidcConfiguration, radiusConfiguration, ...common } = app;
  const { integrationType } = common;
  if (oidcConfiguration && integrationType !== 'oidc') throw notOidcRefusal();
  if (radiusConfiguration && integrationType !== 'radius') throw notRadiusRefusal();
  requireStartUrlAllowed(integrationType, startUrl);
  return deps.db.transaction((tx) => {
    const row = { ...common, orgCode, startUrl: startUrl || null };
    const appId = insertWithUniqueId(deps, tx, row, { appId: known });
    if (oidcConfiguration) insertClient(deps, tx, { orgCode, appId }, oidcConfiguration.clients, registered);
    if (hasSharedSecret(integrationType))
      saveNetworkSettings(deps, tx, { orgCode, appId, integrationType }, radiusConfiguration);
    recordAppCreated(deps, tx, actor, appId);
    return appId;
  });
}

/** Records in the audit trail that an application was created, with its editable fields. */
export function recordAppCreated(deps: Deps, tx: Tx, actor: AuditActor, appId: string): void {
  const app = requireApplication(tx, actor.orgCode, appId);
  const after = { integrationType: app.integrationType, ...factsOfApp(tx, app) };
  record(deps, tx, actor, { action: 'application.created', object: applicationObject(app), after });
}

function insertClient(
  deps: Deps,
  tx: Tx,
  app: { orgCode: string; appId: string },
  { kind, redirect_uris: redirectUris, post_logout_redirect_uris: postLogoutRedirectUris, ...written }: WrittenClients,
  registered: Registered,
): void {
  requireReachableUrls(deps, written, NEW_CLIENT);
  requireClaims(tx, app.orgCode, kind, written.claims);
  const own = { ...app, kind, redirectUris, postLogoutRedirectUris, ...registered };
  const client = { ...NEW_CLIENT, ...own, ...oidcColumnsFromWire(written) };
  requireClientKeys(client);
  requireTokenSettings(client);
  requireFrontChannel(deps, client);
  requireEncryptedClient(deps, client);
  insertClientWithSecret(deps, tx, client);
}

/** Creates a client and, unless it is public or has keys, its first secret. */
export function insertClientWithSecret(
  deps: Pick<Deps, 'random' | 'clock'>,
  tx: Tx,
  client: applicationRepo.OidcClientRow,
): void {
  applicationRepo.insertOidcClient(tx, client);
  if (authMethodOf(client) !== 'client_secret_basic') return;
  clientSecretRepo.insertClientSecret(tx, {
    orgCode: client.orgCode,
    appId: client.appId,
    id: deps.random.id(),
    name: FIRST_SECRET_NAME,
    secret: deps.random.secret(),
    createdAt: deps.clock.now(),
    expiresAt: null,
  });
}

type Registered = Pick<applicationRepo.OidcClientRow, 'registrationTokenHash' | 'registeredName'>;

export const MANUALLY_REGISTERED: Registered = { registrationTokenHash: null, registeredName: null };

type WrittenClients = NonNullable<NewApp['oidcConfiguration']>['clients'];

const NEW_CLIENT: Omit<
  applicationRepo.OidcClientRow,
  'orgCode' | 'appId' | 'kind' | 'redirectUris' | 'postLogoutRedirectUris' | keyof Registered
> = {
  ...TOKEN_LIFETIMES,
  backchannelLogoutUri: null,
  frontchannelLogoutUri: null,
  claims: [],
  jwks: null,
  jwksUri: null,
  idTokenAlg: 'RS256',
  accessTokenFormat: 'opaque',
  rotateRefreshTokens: true,
  tokenExchange: false,
};

const FIRST_SECRET_NAME = 'First secret';

/**
 * Requires that the portal is allowed to call the application's URLs (decision 081). Unchanged URLs are exempt.
 * @throws Refusal INVALID_REQUEST
 */
export function requireReachableUrls(
  { outsidePolicy }: Pick<Deps, 'outsidePolicy'>,
  written: Pick<WrittenClients, (typeof CALLED)[number][0]>,
  before: Pick<applicationRepo.OidcClientRow, (typeof CALLED)[number][1]>,
): void {
  for (const [name, column] of CALLED) {
    const address = written[name];
    if (address && address !== before[column]) {
      requireOutsideAddress(outsidePolicy, address, `oidcConfiguration.clients.${name}`);
    }
  }
}

const CALLED = [
  ['backchannel_logout_uri', 'backchannelLogoutUri'],
  ['jwks_uri', 'jwksUri'],
] as const;

/**
 * Requires that only applications opened in a browser have a start address.
 * @throws Refusal INVALID_REQUEST for a start address of any other application
 */
export function requireStartUrlAllowed(integrationType: IntegrationType, startUrl: string | undefined): void {
  if (!startUrl || integrationType === 'oidc' || integrationType === 'saml') return;
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'startUrl', message: 'Only OIDC and SAML applications can have a start address' }],
  });
}

export const notOidcRefusal = (): Refusal =>
  new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'oidcConfiguration', message: 'Only OIDC applications can have this configuration' }],
  });
