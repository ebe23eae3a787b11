import { isDeepStrictEqual } from 'node:util';
import { applicationRepo, groupRepo, serviceProviderRepo } from '@orchestrate/db';
import {
  type AppUsers,
  type ClientKind,
  contract,
  hasKeys,
  type IntegrationType,
  publicKindOf,
  type WorldApplication,
} from '@orchestrate/shared';
import {
  type ConfigurationPart,
  type Import,
  idsReleasingNames,
  type Path,
  readImage,
  type Step,
} from '#core/configuration/configuration-part.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { writeAppLogo } from './app-logo.ts';
import { createApp } from './create-app.ts';
import { changeSamlApp, insertSamlApp, requireServiceProvider } from './saml/save-saml-app.ts';
import { updateApp } from './update-app.ts';

/** Maps API field names to their paths in configuration files. */
const CONFIG_PATHS: Readonly<Record<string, Path>> = {
  appId: ['id'],
  redirect_uris: ['oidc', 'redirectUris'],
  post_logout_redirect_uris: ['oidc', 'postLogoutRedirectUris'],
  ttl_IdToken: ['oidc', 'ttlIdToken'],
  ttl_AccessToken: ['oidc', 'ttlAccessToken'],
  ttl_AuthorizationCode: ['oidc', 'ttlAuthorizationCode'],
  ttl_RefreshToken: ['oidc', 'ttlRefreshToken'],
  backchannel_logout_uri: ['oidc', 'backchannelLogoutUri'],
  frontchannel_logout_uri: ['oidc', 'frontchannelLogoutUri'],
  jwks_uri: ['oidc', 'jwksUri'],
  id_token_signed_response_alg: ['oidc', 'idTokenAlg'],
  access_token_format: ['oidc', 'accessTokenFormat'],
  rotate_refresh_tokens: ['oidc', 'rotateRefreshTokens'],
  token_exchange: ['oidc', 'tokenExchange'],
  metadata: ['saml', 'metadata'],
  redirectUrl: ['saml', 'redirectUrl'],
  samlNameId: ['saml', 'nameId'],
  samlNameIdFormat: ['saml', 'nameIdFormat'],
  samlNameIdTransformationTemplate: ['saml', 'nameIdTransformationTemplate'],
  samlAttributes: ['saml', 'attributes'],
  samlAttributesConfig: ['saml', 'attributesConfig'],
  encryptAssertions: ['saml', 'encryptAssertions'],
  flags: [],
  oidcConfiguration: ['oidc'],
  radiusConfiguration: ['radius'],
};

/**
 * Returns a field's path in a configuration file: `oidc.redirectUris.0` for
 * `oidcConfiguration.clients.redirect_uris.0`.
 */
function configPathOf(field: string): Path {
  const [name = '', ...deeper] = field.replace(/^oidcConfiguration\.clients\./, '').split('.');
  const isOfClient = field.startsWith('oidcConfiguration.clients.');
  return [...(CONFIG_PATHS[name] ?? (isOfClient ? ['oidc', name] : [name])), ...deeper];
}

type Input = NonNullable<Import['file']['given']['applications']>[number];

/**
 * Imports the applications in a file. Updates applications with known IDs and creates the others with new secrets.
 * Keeps the list of members who can use an application.
 */
export const configuredApps: ConfigurationPart = (call) => [
  { path: ['applications'], prepare: () => () => releaseNames(call) },
  ...(call.file.given.applications ?? []).flatMap((given, at) => {
    const full = call.file.full.applications[at];
    return full ? [stepOf(call, given, full, at)] : [];
  }),
];

function releaseNames(call: Import): void {
  const present = applicationRepo.listApplications(call.deps.db, call.actor.orgCode);
  const renamed = present.filter(({ integrationType }) => isRenamed(call, integrationType));
  const names = renamed.map(({ appId: id, name }) => ({ id, name }));
  const given = idsReleasingNames(call.file.given.applications ?? [], names, applicationRepo.isSameName);
  applicationRepo.releaseNames(call.deps.db, call.actor.orgCode, given);
}

/**
 * Returns true if an import renames the application. A portal application imported from another organisation's file
 * keeps its current name.
 */
const isRenamed = ({ file }: Import, type: IntegrationType) => type !== 'portal' || file.isOwn;

function stepOf(call: Import, given: Input, full: WorldApplication, at: number): Step {
  const { deps } = call;
  const present = () => presentApp(call, full);
  return {
    path: ['applications', at],
    placeOf: (field) => ['applications', at, ...configPathOf(field)],
    prepare: async () => {
      const logo = await readImage(deps, given.logo);
      const before = serviceProviderRepo.findServiceProvider(deps.db, call.actor.orgCode, full.id);
      if (full.saml) await requireServiceProvider(deps, before && given.saml ? given.saml : full.saml, before);
      return () =>
        deps.db.transaction(() => {
          const known = present();
          requireOwnParts(known?.integrationType ?? full.type, given);
          const appId = known ? changeApp(call, known, given) : makeApp(call, full);
          if (logo !== undefined) writeAppLogo(deps, call.actor, appId, logo);
        });
    },
  };
}

/**
 * Returns the existing application for an imported one. Portal applications can have different IDs if both
 * organisations have exactly one.
 */
function presentApp({ deps, actor: { orgCode }, file }: Import, { id, type }: WorldApplication) {
  const known = applicationRepo.findApplication(deps.db, orgCode, id);
  if (known || type !== 'portal' || file.isOwn) return known;
  if (file.full.applications.filter((app) => app.type === 'portal').length > 1) return undefined;
  const portals = applicationRepo.listApplications(deps.db, orgCode).filter((app) => app.integrationType === 'portal');
  return portals.length === 1 ? portals[0] : undefined;
}

function makeApp(call: Import, app: WorldApplication): string {
  const { deps, actor } = call;
  const { orgCode } = actor;
  const { id: appId, name = appId, description, type, startUrl = '', usableBy = null } = app;
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = app;
  const options = { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled };
  const users = usersOf(call, usableBy, null);
  if (type === 'saml') {
    const { maxCookieLife: _own, ...flags } = options;
    const fields = { name, description, startUrl, maxCookieLife, flags, ...samlOf(app.saml) };
    const { orgCode: _org, appId: _id, ...body } = readPart(contract.createSamlApp.body, { orgCode, ...fields });
    insertSamlApp(deps, actor, body, { appId });
    if (users) changeSamlApp(deps, actor, appId, { usableBy: users }, ANY_VERSION);
    return appId;
  }
  const body = readPart(contract.createApp.body, {
    orgCode,
    integrationType: type,
    name,
    description,
    startUrl,
    ...(app.oidc && { oidcConfiguration: { clients: { ...clientsOf(call, app.oidc), kind: kindOf(app.oidc) } } }),
    ...(app.radius && { radiusConfiguration: { method: app.radius.method } }),
  });
  createApp(deps, actor, { ...body, ...options, appId });
  if (users) updateApp(deps, actor, appId, { usableBy: users }, ANY_VERSION);
  return appId;
}

function changeApp(call: Import, known: applicationRepo.ApplicationRow, given: Input): string {
  const { deps, actor } = call;
  const { appId, integrationType } = known;
  if (given.type !== undefined && given.type !== integrationType) {
    const message = `${known.name} is an application of type ${integrationType}. The type cannot be changed`;
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'type', message }] });
  }
  const name = isRenamed(call, integrationType) ? given.name : undefined;
  const { description, startUrl, usableBy } = given;
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = given;
  const common = {
    name,
    description,
    startUrl,
    maxCookieLife,
    ...(usableBy !== undefined && { usableBy: usersOf(call, usableBy, known.usableBy) }),
  };
  if (integrationType === 'saml') {
    const flags = {
      didEnabled: didEnabled ?? known.didEnabled,
      webAuthnEnabled: webAuthnEnabled ?? known.webAuthnEnabled,
      desktopAppEnabled: desktopAppEnabled ?? known.desktopAppEnabled,
      forceAuthnEnabled: forceAuthnEnabled ?? known.forceAuthnEnabled,
    };
    const before = serviceProviderRepo.findServiceProvider(deps.db, known.orgCode, appId)?.metadata;
    const body = readPart(contract.updateSamlApp.body, { ...common, flags, ...samlOf(given.saml, before) });
    changeSamlApp(deps, actor, appId, body, ANY_VERSION);
    return appId;
  }
  const client = applicationRepo.findOidcClient(deps.db, known.orgCode, appId);
  requireKind(client, given);
  const body = readPart(contract.updateApp.body, {
    ...common,
    didEnabled,
    webAuthnEnabled,
    desktopAppEnabled,
    forceAuthnEnabled,
    ...(given.oidc && { oidcConfiguration: { clients: clientsOf(call, given.oidc, client) } }),
    ...(given.radius?.method !== undefined && { radiusConfiguration: { method: given.radius.method } }),
  });
  updateApp(deps, actor, appId, body, ANY_VERSION);
  return appId;
}

/** Rejects settings of other application types instead of ignoring them. */
function requireOwnParts(type: applicationRepo.ApplicationRow['integrationType'], given: Input): void {
  const others = (['oidc', 'saml', 'radius', 'ldap'] as const).filter((part) => part !== type && given[part]);
  if (others.length === 0) return;
  const message = `Applications of type ${type} do not have this setting`;
  throw new Refusal('INVALID_REQUEST', { issues: others.map((path) => ({ path, message })) });
}

/** Rejects a different client kind. The kind determines how the client authenticates and can't change. */
function requireKind(client: applicationRepo.OidcClientRow | undefined, { oidc }: Input): void {
  if (!client || oidc?.kind === undefined || oidc.kind === client.kind) return;
  const message = `This is a ${client.kind} client. The kind cannot be changed`;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'oidcConfiguration.clients.kind', message }] });
}

/** Returns the file's client settings by their API names. */
function clientsOf(call: Import, client: NonNullable<Input['oidc']>, known?: applicationRepo.OidcClientRow) {
  const { deps } = call;
  // A world stores URLs on this portal as paths, so prepend the portal's URL.
  const absolute = (addresses: readonly string[] | undefined, present: readonly string[] | undefined) =>
    isDeepStrictEqual(addresses, present)
      ? undefined
      : addresses?.map((address) => (address.startsWith('/') ? `${deps.publicUrl}${address}` : address));
  return {
    kind: client.kind,
    redirect_uris: absolute(client.redirectUris, known?.redirectUris),
    post_logout_redirect_uris: absolute(client.postLogoutRedirectUris, known?.postLogoutRedirectUris),
    ttl_IdToken: client.ttlIdToken,
    ttl_AccessToken: client.ttlAccessToken,
    ttl_AuthorizationCode: client.ttlAuthorizationCode,
    ttl_RefreshToken: client.ttlRefreshToken,
    backchannel_logout_uri: orNone(client.backchannelLogoutUri),
    frontchannel_logout_uri: orNone(client.frontchannelLogoutUri),
    claims: client.claims?.map((claim, at) => ({ ...claim, groups: groupsOf(call, claim.groups, claimPath(at)) })),
    jwks: client.jwks,
    jwks_uri: orNone(client.jwksUri),
    id_token_signed_response_alg: client.idTokenAlg,
    access_token_format: client.accessTokenFormat,
    rotate_refresh_tokens: client.rotateRefreshTokens,
    token_exchange: client.tokenExchange,
  };
}

const claimPath = (at: number) => `oidcConfiguration.clients.claims.${at}.groups`;

const orNone = (address: string | null | undefined) => (address === null ? '' : address);

function samlOf(provider: Input['saml'], before?: string) {
  if (!provider) return {};
  return {
    // Ignore changes in surrounding whitespace, because the UI trims it.
    metadata: provider.metadata.trim() === before?.trim() ? undefined : provider.metadata,
    // A world allows an empty URL, but the UI doesn't, so treat it as missing.
    redirectUrl: provider.redirectUrl || undefined,
    samlNameId: provider.nameId,
    samlNameIdFormat: provider.nameIdFormat,
    samlNameIdTransformationTemplate: provider.nameIdTransformationTemplate,
    samlAttributes: provider.attributes,
    samlAttributesConfig: provider.attributesConfig,
    encryptAssertions: provider.encryptAssertions,
  };
}

/**
 * Returns who can use an application after the import. Keeps everything the file doesn't mention, including members,
 * because files never list them.
 */
function usersOf(
  call: Import,
  users: NonNullable<Input['usableBy']> | null,
  before: applicationRepo.ApplicationRow['usableBy'],
): AppUsers {
  if (users === null) return null;
  const { roles = before?.roles ?? [], groups } = users;
  return {
    roles,
    groups: groups ? groupsOf(call, groups, 'usableBy.groups') : (before?.groups ?? []),
    people: before?.people ?? [],
  };
}

/** In a world, a client without a kind and secrets is public. */
const kindOf = (client: NonNullable<WorldApplication['oidc']>): ClientKind | undefined =>
  client.kind ?? (client.secrets?.length === 0 && !hasKeys(client) ? publicKindOf(client.redirectUris) : undefined);

/** Returns group IDs by name, because IDs differ between organisations. @throws Refusal INVALID_REQUEST */
function groupsOf({ deps, actor: { orgCode } }: Import, names: readonly string[] = [], path: string): string[] {
  return names.map((name, at) => {
    const group = groupRepo.findGroupByName(deps.db, orgCode, name);
    if (group) return group.groupId;
    throw new Refusal('INVALID_REQUEST', {
      issues: [
        { path: `${path}.${at}`, message: `There is no group “${name}”. Groups are not imported, so create it first` },
      ],
    });
  });
}
