import { isDeepStrictEqual } from 'node:util';
import { applicationRepo, type Tx } from '@orchestrate/db';
import {
  addressProblem,
  type contract,
  EDITABLE_APP_FIELDS,
  NO_ADDRESS,
  needsAddress,
  type RequestOf,
} from '@orchestrate/shared';
import { requireApplication } from '#core/applications.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { fullAddress } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireAppUsers } from './app-users.ts';
import { applicationDetail } from './application-detail.ts';
import { notOidcRefusal, requireReachableUrls, requireStartUrlAllowed } from './create-app.ts';
import { applicationObject, editableAppFields, factsOfApp } from './editable-app.ts';
import { requireClientKeys, requireTokenSettings } from './oidc/client-keys.ts';
import { requireFrontChannel } from './oidc/front-channel.ts';
import { oidcColumnsFromWire } from './oidc/oidc-columns-from-wire.ts';
import { requireClaims } from './oidc/require-claims.ts';
import { notRadiusRefusal, saveNetworkSettings } from './radius-ldap.ts';
import { requireEncryptedClient } from './saml/require-encrypted.ts';

type AppChange = RequestOf<typeof contract.updateApp>['body'];

/**
 * Updates an application with the fields in the request.
 * @throws StaleVersion; Refusal ORG_APP_MISSING; ORG_APP_ALREADY_EXISTS if the name is taken; INVALID_REQUEST if the
 * configuration is for another application type, if an address isn't allowed for this kind of client, or as
 * `requireAppUsers`, `requireClientKeys`, `requireTokenSettings`, `requireFrontChannel` and `requireEncryptedClient`
 */
export function updateApp(deps: Deps, actor: AuditActor, appId: string, body: AppChange, version: Version): void {
  const { orgCode } = actor;
  const { oidcConfiguration, radiusConfiguration, startUrl, name, description, usableBy } = body;
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = body;
  const options = { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled };
  const startPage = startUrl === undefined ? {} : { startUrl: startUrl || null };
  const change = { name, description, usableBy, ...options, ...startPage };
  deps.db.transaction((tx) => {
    const before = requireApplication(tx, orgCode, appId);
    const editable = editableAppFields(tx, before);
    const factsBefore = factsOfApp(tx, before);
    const present = () => applicationDetail(deps, orgCode, appId);
    version.require(tx, { orgCode, id: appId, editable, present });
    if (oidcConfiguration && before.integrationType !== 'oidc') throw notOidcRefusal();
    if (radiusConfiguration && before.integrationType !== 'radius') throw notRadiusRefusal();
    requireStartUrlAllowed(before.integrationType, startUrl);
    requireAppUsers(tx, before, change.usableBy);
    const isDone = applicationRepo.changeApplication(tx, orgCode, appId, change);
    if (!isDone) throw new Refusal('ORG_APP_ALREADY_EXISTS');
    if (oidcConfiguration) {
      saveClient(deps, tx, before, oidcConfiguration.clients);
    }
    if (radiusConfiguration) saveNetworkSettings(deps, tx, before, radiusConfiguration);
    const app = requireApplication(tx, orgCode, appId);
    const facts = { before: factsBefore, after: factsOfApp(tx, app) };
    record(deps, tx, actor, { action: 'application.updated', object: applicationObject(app), ...facts });
  });
}

/**
 * Requires fields that `updateApp` doesn't change to have their current values, so that a client can send back what it
 * read, but no change is silently ignored.
 * @throws Refusal ORG_APP_MISSING; INVALID_REQUEST with each changed field
 */
export async function requireReadOnlyUnchanged(deps: Deps, orgCode: string, appId: string, body: AppChange) {
  if (Object.keys(body).every((name) => EDITABLE_APP_FIELDS.has(name))) return;
  const changed = changedReadOnly(body, await applicationDetail(deps, orgCode, appId));
  const issues = changed.map((path) => ({ path, message: readOnlyMessage(path) }));
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}

/** Fields whose values depend on the time or on other objects, so that an unchanged response can differ from them. */
const COMPUTED: ReadonlySet<string> = new Set(['isClosed', 'isExpired', 'lastUsedAt', 'secretProblem', 'warnings']);

/** Returns the paths of read-only fields in a body that differ from the current state. */
function changedReadOnly(body: object, present: object, at = ''): string[] {
  const current = new Map<string, unknown>(Object.entries(present));
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const path = `${at}${name}`;
    const now = current.get(name);
    if (value === undefined || EDITABLE_APP_FIELDS.has(path) || COMPUTED.has(name)) return [];
    if (isObject(value) && isObject(now)) return changedReadOnly(value, now, `${path}.`);
    // `updateApp` refuses the configuration of another application type itself.
    const isOfOtherType = isObject(value) && (path === 'oidcConfiguration' || path === 'radiusConfiguration');
    return isOfOtherType || isDeepStrictEqual(value, now) ? [] : [path];
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function readOnlyMessage(path: string): string {
  if (path.startsWith('samlConfiguration.')) return 'To change this, call PUT /api/orgs/{orgCode}/apps/saml/{appId}';
  if (/^(?:radius|ldap)Configuration\.secret$/.test(path))
    return 'To change this, call POST /api/orgs/{orgCode}/apps/{appId}/shared-secret';
  return 'This field cannot be changed';
}

type WrittenClients = NonNullable<AppChange['oidcConfiguration']>['clients'];

function saveClient(deps: Deps, tx: Tx, { orgCode, appId }: applicationRepo.ApplicationRow, written: WrittenClients) {
  const client = applicationRepo.findOidcClient(tx, orgCode, appId);
  if (!client) return;
  const change = oidcColumnsFromWire(storedAddresses(deps, client, written));
  requireAddresses(deps, client, written);
  requireReachableUrls(deps, written, client);
  requireClaims(tx, orgCode, client.kind, written.claims);
  requireClientKeys({ ...client, ...change });
  requireTokenSettings({ ...client, ...change });
  requireFrontChannel(deps, { ...client, ...change }, client);
  requireEncryptedClient(deps, { ...client, ...change }, client);
  applicationRepo.changeOidcClient(tx, orgCode, appId, change);
}

/** Returns the client with its own pages as the paths that are stored, if the request repeats them as full URLs. */
function storedAddresses({ publicUrl }: Deps, client: applicationRepo.OidcClientRow, written: WrittenClients) {
  const stored = new Map(
    [...client.redirectUris, ...client.postLogoutRedirectUris].map((path) => [fullAddress(publicUrl, path), path]),
  );
  const { redirect_uris, post_logout_redirect_uris } = written;
  const asStored = (addresses: string[] | undefined) => addresses?.map((address) => stored.get(address) ?? address);
  return {
    ...written,
    redirect_uris: asStored(redirect_uris),
    post_logout_redirect_uris: asStored(post_logout_redirect_uris),
  };
}

/**
 * Requires new addresses to be allowed for this kind of client. Saved addresses can stay, and so can an empty list,
 * which worlds and older versions can contain.
 */
function requireAddresses({ publicUrl }: Deps, client: applicationRepo.OidcClientRow, written: WrittenClients): void {
  const before = { redirect_uris: client.redirectUris, post_logout_redirect_uris: client.postLogoutRedirectUris };
  const known = Object.values(before).flatMap((list) => list.flatMap((path) => [path, fullAddress(publicUrl, path)]));
  const issues = (['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap((list) => {
    const path = `oidcConfiguration.clients.${list}`;
    const addresses = written[list];
    if (addresses?.length === 0 && before[list].length > 0 && needsAddress(client.kind))
      return [{ path, message: NO_ADDRESS }];
    return (addresses ?? []).flatMap((address, at) => {
      const message = known.includes(address) ? undefined : addressProblem(client.kind, address);
      return message === undefined ? [] : [{ path: `${path}.${at}`, message }];
    });
  });
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}
