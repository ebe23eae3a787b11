import { applicationRepo, type Tx } from '@orchestrate/db';
import { addressProblem, type contract, NO_ADDRESS, needsAddress, type RequestOf } from '@orchestrate/shared';
import { requireApplication } from '#core/applications.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireAppUsers } from './app-users.ts';
import { applicationDetail } from './application-detail.ts';
import { notOidcRefusal, requireReachableUrls, requireStartUrlAllowed } from './create-app.ts';
import { applicationObject, editableAppFields, factsOfApp } from './editable-app.ts';
import { requireClientKeys } from './oidc/client-keys.ts';
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
 * `requireAppUsers`, `requireClientKeys`, `requireFrontChannel` and `requireEncryptedClient`
 */
export function updateApp(deps: Deps, actor: AuditActor, appId: string, body: AppChange, version: Version): void {
  const { orgCode } = actor;
  const { oidcConfiguration, radiusConfiguration, startUrl, appId: _id, orgCode: _organisation, ...fields } = body;
  const change = { ...fields, ...(startUrl !== undefined && { startUrl: startUrl || null }) };
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

type WrittenClients = NonNullable<AppChange['oidcConfiguration']>['clients'];

function saveClient(deps: Deps, tx: Tx, { orgCode, appId }: applicationRepo.ApplicationRow, written: WrittenClients) {
  const client = applicationRepo.findOidcClient(tx, orgCode, appId);
  if (!client) return;
  const change = oidcColumnsFromWire(written);
  requireAddresses(client, written);
  requireReachableUrls(deps, written, client);
  requireClaims(tx, orgCode, client.kind, written.claims);
  requireClientKeys({ ...client, ...change });
  requireFrontChannel(deps, { ...client, ...change }, client);
  requireEncryptedClient(deps, { ...client, ...change }, client);
  applicationRepo.changeOidcClient(tx, orgCode, appId, change);
}

/**
 * Requires new addresses to be allowed for this kind of client. Saved addresses can stay, and so can an empty list,
 * which worlds and older versions can contain.
 */
function requireAddresses(client: applicationRepo.OidcClientRow, written: WrittenClients): void {
  const before = { redirect_uris: client.redirectUris, post_logout_redirect_uris: client.postLogoutRedirectUris };
  const known = Object.values(before).flat();
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
