import { applicationRepo, clientSecretRepo, type Tx } from '@orchestrate/db';
import { type contract, isPublicKind, type RequestOf, TOKEN_LIFETIMES } from '@orchestrate/shared';
import { factsOf } from '../../core/audit/facts-of.ts';
import { record } from '../../core/audit/record.ts';
import type { Deps } from '../../deps.ts';
import { requireOutsideAddress } from '../../platform/adapters/fetch-outside.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requireApplication } from './application-detail.ts';
import { applicationObject, editableApp } from './editable-app.ts';
import { insertNamed } from './insert-named.ts';
import { isNetworkClient, notRadius, saveNetworkPart } from './network-client.ts';
import { ofClients } from './of-clients.ts';
import { requireClaims } from './require-claims.ts';

type NewApp = RequestOf<typeof contract.createApp>['body'];

/**
 * Writes a new application; one of type oidc gets a client and, unless that is public, its first secret, one of type
 * radius or ldap a secret.
 * @returns its id.
 * @throws Refusal ORG_APP_ALREADY_EXISTS the name is taken; INVALID_REQUEST a configuration for another kind of
 * application
 */
export function createApp(deps: Deps, actor: AuditActor, app: NewApp): string {
  const { orgCode } = actor;
  const { name, description, integrationType, oidcConfiguration, radiusConfiguration } = app;
  if (oidcConfiguration && integrationType !== 'oidc') throw notOidc();
  if (radiusConfiguration && integrationType !== 'radius') throw notRadius();
  return deps.db.transaction(
    (tx) => {
      const appId = insertNamed(deps, tx, { orgCode, name, description, integrationType });
      if (oidcConfiguration) insertClient(deps, tx, { orgCode, appId }, oidcConfiguration.clients);
      if (isNetworkClient(integrationType)) saveNetworkPart(deps, tx, { orgCode, appId }, radiusConfiguration);
      recordCreated(deps, tx, actor, appId);
      return appId;
    },
    { behavior: 'immediate' },
  );
}

/** Records that an application was made, with its editable fields. */
export function recordCreated(deps: Deps, tx: Tx, actor: AuditActor, appId: string): void {
  const app = requireApplication(tx, actor.orgCode, appId);
  const after = factsOf({ integrationType: app.integrationType, ...editableApp(tx, app) });
  record(deps, tx, actor, { action: 'application.created', object: applicationObject(app), after });
}

function insertClient(
  deps: Deps,
  tx: Tx,
  app: { orgCode: string; appId: string },
  {
    kind,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    ...lifetimes
  }: WrittenClients,
): void {
  requireLogoutAddress(deps, lifetimes);
  requireClaims(tx, app.orgCode, lifetimes.claims);
  const none = { backchannelLogoutUri: null, frontchannelLogoutUri: null, claims: [] };
  const client = { ...app, kind, redirectUris, postLogoutRedirectUris, ...TOKEN_LIFETIMES, ...none };
  applicationRepo.insertOidcClient(tx, client);
  applicationRepo.changeOidcClient(tx, app.orgCode, app.appId, ofClients(lifetimes));
  if (isPublicKind(kind)) return;
  clientSecretRepo.insertClientSecret(tx, {
    ...app,
    id: deps.random.id(),
    name: FIRST_SECRET_NAME,
    secret: deps.random.secret(),
    createdAt: deps.clock.now(),
    expiresAt: null,
  });
}

type WrittenClients = NonNullable<NewApp['oidcConfiguration']>['clients'];

const FIRST_SECRET_NAME = 'First secret';

/**
 * The address at which we tell an application of a logout must be one that we may call (decision 081).
 * @throws Refusal INVALID_REQUEST
 */
export function requireLogoutAddress(
  { config }: Pick<Deps, 'config'>,
  { backchannel_logout_uri: address }: { backchannel_logout_uri?: string | undefined },
): void {
  if (address) requireOutsideAddress(config, address, 'oidcConfiguration.clients.backchannel_logout_uri');
}

export const notOidc = (): Refusal =>
  new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'oidcConfiguration', message: 'Only OIDC applications have this configuration' }],
  });
