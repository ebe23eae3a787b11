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
import { requireClientKeys } from './oidc/client-keys.ts';
import { requireFrontChannel } from './oidc/front-channel.ts';
import { oidcColumnsFromWire } from './oidc/oidc-columns-from-wire.ts';
import { requireClaims } from './oidc/require-claims.ts';
import { hasSharedSecret, notRadius, saveNetworkSettings } from './radius-ldap.ts';
import { requireEncryptedClient } from './saml/require-encrypted.ts';

type NewApp = Omit<RequestOf<typeof contract.createApp>['body'], 'orgCode'> &
  // Only for an application from a file.
  Partial<Pick<applicationRepo.ApplicationRow, LoginOption | 'appId'>>;
type LoginOption = keyof typeof loginOptions.shape;

/**
 * Writes a new application; type oidc gets a client and, unless it is public or has keys, a first secret; types
 * radius and ldap get a shared secret.
 * @param registered for a client that registers itself
 * @returns its id.
 * @throws Refusal ORG_APP_ALREADY_EXISTS the name is taken; INVALID_REQUEST a configuration for another kind of
 * application
 */
export function createApp(deps: Deps, actor: AuditActor, app: NewApp, registered: Registered = BY_HAND): string {
  const { orgCode } = actor;
  const { appId: known, startUrl, oidcConfiguration, radiusConfiguration, ...common } = app;
  const { integrationType } = common;
  if (oidcConfiguration && integrationType !== 'oidc') throw notOidc();
  if (radiusConfiguration && integrationType !== 'radius') throw notRadius();
  requireStartUrlAllowed(integrationType, startUrl);
  return deps.db.transaction((tx) => {
    const row = { ...common, orgCode, startUrl: startUrl || null };
    const appId = insertWithUniqueId(deps, tx, row, { appId: known });
    if (oidcConfiguration) insertClient(deps, tx, { orgCode, appId }, oidcConfiguration.clients, registered);
    if (hasSharedSecret(integrationType))
      saveNetworkSettings(deps, tx, { orgCode, appId, integrationType }, radiusConfiguration);
    recordCreated(deps, tx, actor, appId);
    return appId;
  });
}

/** Records the creation of an application with its editable fields. */
export function recordCreated(deps: Deps, tx: Tx, actor: AuditActor, appId: string): void {
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
  requireOutsideAddresses(deps, written, NEW_CLIENT);
  requireClaims(tx, app.orgCode, written.claims);
  const own = { ...app, kind, redirectUris, postLogoutRedirectUris, ...registered };
  const client = { ...NEW_CLIENT, ...own, ...oidcColumnsFromWire(written) };
  requireClientKeys(client);
  requireFrontChannel(deps, client);
  requireEncryptedClient(deps, client);
  insertWithSecret(deps, tx, client);
}

/** Writes a client and, unless it is public or has keys, its first secret. */
export function insertWithSecret(
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

export const BY_HAND: Registered = { registrationTokenHash: null, registeredName: null };

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
};

const FIRST_SECRET_NAME = 'First secret';

/**
 * Requires that the portal may call the application's URLs (decision 081); unchanged ones are exempt.
 * @throws Refusal INVALID_REQUEST
 */
export function requireOutsideAddresses(
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

/** @throws Refusal INVALID_REQUEST for a start address of an application that isn't opened in a browser */
export function requireStartUrlAllowed(integrationType: IntegrationType, startUrl: string | undefined): void {
  if (!startUrl || integrationType === 'oidc' || integrationType === 'saml') return;
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'startUrl', message: 'Only OIDC and SAML applications have a start address' }],
  });
}

export const notOidc = (): Refusal =>
  new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'oidcConfiguration', message: 'Only OIDC applications have this configuration' }],
  });
