import { applicationRepo, clientSecretRepo, oidcApplicationRepo, type Tx } from '@orchestrate/db';
import { authMethodOf, grantsOf, hasCallback, hasSignIn } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret, isSameSecret } from '#platform/adapters/secrets.ts';
import { clientActor } from '#platform/http/callers/actors.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { fullAddress, oidcAddresses } from '#platform/own-addresses.ts';
import { FIXED_CONFIGURATION } from '#protocols/oidc/provider/fixed-configuration.ts';
import { claimsByScope } from '#protocols/oidc/tokens/account.ts';
import { createApp } from '../create-app.ts';
import { deleteApp } from '../delete-app.ts';
import { updateApp } from '../update-app.ts';
import { ClientMetadataError, readClientMetadata } from './client-metadata.ts';

/**
 * Returns the scopes that an organisation's applications can request, as listed in discovery. API scopes aren't
 * included.
 */
const scopesOf = ({ db }: Pick<Deps, 'db'>, orgCode: string): string[] => [
  ...new Set([
    ...FIXED_CONFIGURATION.scopes,
    ...Object.keys(claimsByScope('')),
    ...oidcApplicationRepo.listClaimScopes(db, orgCode),
  ]),
];

/** Returns the URL for registering clients with an organisation. */
export const registrationEndpoint = (origin: string, orgCode: string): string =>
  `${oidcAddresses(origin, orgCode).issuer}/reg`;

interface Registering {
  /** Origin that the client uses to reach the portal. */
  origin: string;
  orgCode: string;
  ip: string;
  body: unknown;
}

/**
 * Creates an application for a client that registers itself.
 * @param token name of the registration token that the client used
 * @returns the client information response (RFC 7591 §3.2.1). @throws ClientMetadataError; Refusal INVALID_REQUEST
 */
export function registerClient(deps: Deps, { origin, orgCode, ip, body }: Registering, token: string): object {
  const { name, registeredName, method, clients } = readClientMetadata(body);
  const access = deps.random.secret();
  const app = {
    orgCode,
    integrationType: 'oidc' as const,
    name: freeName(deps.db, orgCode, name),
    description: '',
    startUrl: '',
  };
  const actor = clientActor(orgCode, ip, token);
  const registered = { registrationTokenHash: hashSecret(access), registeredName };
  const appId = createApp(deps, actor, { ...app, oidcConfiguration: { clients } }, registered);
  return informationOf(deps, { origin, orgCode, appId }, access, method);
}

interface Registered {
  /** Origin that the client uses to reach the portal. */
  origin: string;
  orgCode: string;
  appId: string;
  /** Registration access token sent by the client. */
  access: string;
}

/**
 * Returns a registered client's metadata.
 * @returns the client information response; undefined for an unknown client or another client's token
 */
export function readClient(deps: Deps, { access, ...key }: Registered): object | undefined {
  return isRegistered(deps, { access, ...key }) ? informationOf(deps, key, access) : undefined;
}

/**
 * Replaces a client's metadata (RFC 7592 §2.2).
 * @returns as `readClient`. @throws ClientMetadataError; Refusal INVALID_REQUEST, ORG_APP_ALREADY_EXISTS
 */
export function updateClient(
  deps: Deps,
  { access, ...key }: Registered,
  { ip, body }: Omit<Registering, 'origin' | 'orgCode'>,
): object | undefined {
  if (!isRegistered(deps, { access, ...key })) return undefined;
  const { kind, name, registeredName, method, clients } = readClientMetadata(body);
  const before = applicationRepo.findOidcClient(deps.db, key.orgCode, key.appId);
  requireSame(deps.db, key, body);
  if (before?.kind !== kind) throw new ClientMetadataError('', 'The kind of client cannot be changed');
  const { kind: _kind, ...change } = clients;
  const parts = kind === 'machine' ? withoutAddresses(change) : change;
  const actor = clientActor(key.orgCode, ip, name);
  deps.db.transaction((tx) => {
    updateApp(deps, actor, key.appId, { name, oidcConfiguration: { clients: parts } }, ANY_VERSION);
    applicationRepo.changeOidcClient(tx, key.orgCode, key.appId, { registeredName });
  });
  return informationOf(deps, key, access, method);
}

/** Deletes a registered client. @returns true if a client with this token existed */
export function deleteClient(deps: Deps, registered: Registered, ip: string): boolean {
  if (!isRegistered(deps, registered)) return false;
  const { orgCode, appId } = registered;
  const name = applicationRepo.findApplication(deps.db, orgCode, appId)?.name ?? appId;
  deleteApp(deps, clientActor(orgCode, ip, name), appId);
  return true;
}

const withoutAddresses = <Clients extends { redirect_uris: string[]; post_logout_redirect_uris: string[] }>({
  redirect_uris: _redirects,
  post_logout_redirect_uris: _logouts,
  ...rest
}: Clients) => rest;

function isRegistered({ db }: Deps, { orgCode, appId, access }: Omit<Registered, 'origin'>): boolean {
  const hash = applicationRepo.findOidcClient(db, orgCode, appId)?.registrationTokenHash ?? null;
  return hash !== null && isSameSecret(hashSecret(access), hash);
}

/** Requires that the client repeats the metadata set by the portal without changes (RFC 7592 §2.2). */
function requireSame(tx: Tx, { orgCode, appId }: { orgCode: string; appId: string }, body: unknown): void {
  const given = new Map(Object.entries(Object(body)));
  if (given.get('client_id') !== appId) throw new ClientMetadataError('client_id', 'must be this client’s');
  const secrets = clientSecretRepo.listClientSecrets(tx, orgCode, appId).map(({ secret }) => secret);
  const secret: unknown = given.get('client_secret');
  if (secret !== undefined && !secrets.some((known) => known === secret)) {
    throw new ClientMetadataError('client_secret', 'must be this client’s');
  }
  const own = [
    'registration_access_token',
    'registration_client_uri',
    'client_secret_expires_at',
    'client_id_issued_at',
  ];
  for (const name of own) if (given.has(name)) throw new ClientMetadataError(name, 'must be omitted');
}

/** Returns the name, with a number appended if it is taken. */
function freeName(tx: Tx, orgCode: string, name: string): string {
  if (applicationRepo.findAppIdByName(tx, orgCode, name) === undefined) return name;
  let number = 2;
  while (applicationRepo.findAppIdByName(tx, orgCode, `${name} ${number}`) !== undefined) number += 1;
  return `${name} ${number}`;
}

function informationOf(
  deps: Deps,
  { origin, orgCode, appId }: Omit<Registered, 'access'>,
  access: string,
  requestedScope?: string,
): object {
  const { db, publicUrl } = deps;
  const app = applicationRepo.findApplication(db, orgCode, appId);
  const client = applicationRepo.findOidcClient(db, orgCode, appId);
  if (!app || !client) throw new Error(`The application ${appId} was saved but can't be found.`);
  const [secret] = clientSecretRepo.listClientSecrets(db, orgCode, appId);
  const { kind, redirectUris, ttlRefreshToken } = client;
  const method = authMethodOf(client);
  const whole = (address: string) => fullAddress(publicUrl, address);
  const isRefreshed = hasSignIn(kind) && ttlRefreshToken > 0;
  const scopes = scopesOf(deps, orgCode).filter((scope) => isRefreshed || scope !== 'offline_access');
  return {
    client_id: appId,
    client_id_issued_at: Math.floor(app.createdAt / 1_000),
    // Returns the name as the client spelled it, because some clients compare it.
    client_name: client.registeredName ?? app.name,
    application_type: kind === 'native' ? 'native' : 'web',
    ...(method === 'client_secret_basic' &&
      secret && {
        client_secret: secret.secret,
        client_secret_expires_at: secret.expiresAt === null ? 0 : Math.floor(secret.expiresAt / 1_000),
      }),
    // The portal accepts a secret sent by either method, so confirm the method that the client requested.
    token_endpoint_auth_method:
      method === 'client_secret_basic' && requestedScope !== undefined ? requestedScope : method,
    grant_types: [...grantsOf(client), ...(isRefreshed ? ['refresh_token'] : [])],
    // Some clients refuse a response without a scope (RFC 7591 §2). A service client only has the scopes of the APIs
    // that it requests.
    ...(hasSignIn(kind) && { scope: scopes.join(' ') }),
    response_types: hasCallback(kind, redirectUris) ? ['code'] : [],
    redirect_uris: redirectUris.map(whole),
    post_logout_redirect_uris: client.postLogoutRedirectUris.map(whole),
    id_token_signed_response_alg: client.idTokenAlg,
    ...(client.jwks && { jwks: client.jwks }),
    ...(client.jwksUri !== null && { jwks_uri: client.jwksUri }),
    ...(client.backchannelLogoutUri !== null && { backchannel_logout_uri: client.backchannelLogoutUri }),
    ...(client.frontchannelLogoutUri !== null && { frontchannel_logout_uri: client.frontchannelLogoutUri }),
    registration_client_uri: `${registrationEndpoint(origin, orgCode)}/${appId}`,
    registration_access_token: access,
  };
}
