import { applicationRepo, logoRepo, networkClientRepo, serviceProviderRepo, type Tx } from '@orchestrate/db';
import { requireApplication } from '../../core/require-application.ts';
import { requiresHttps } from '../../core/requires-https.ts';
import { readProvider } from '../../core/saml-metadata/read-service-provider.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { logoAddress } from './app-logo.ts';
import { BY_HAND, insertWithSecret, recordCreated } from './create-app.ts';
import { insertWithUniqueId } from './insert-with-unique-id.ts';
import { saveNetworkPart } from './network-client.ts';
import { browserAddressesOf } from './require-encrypted.ts';

/**
 * Writes a new application with the settings of another one. What proves who an application is stays with that one: the
 * new one gets secrets of its own, and has neither the keys nor the SCIM service of the other.
 * @returns its id. @throws Refusal ORG_APP_MISSING; ORG_APP_ALREADY_EXISTS the name is taken; INVALID_REQUEST an address
 * of the original must use https by now
 */
export async function duplicateApp(deps: Deps, actor: AuditActor, appId: string, name: string): Promise<string> {
  const { orgCode } = actor;
  await requireEncrypted(deps, orgCode, appId);
  return deps.db.transaction((tx) => {
    const { appId: _id, createdAt: _since, nameKey: _key, ...settings } = requireApplication(tx, orgCode, appId);
    const copy = { orgCode, appId: insertWithUniqueId(deps, tx, { ...settings, name, logo: null }) };
    copyLogo(tx, { orgCode, appId }, copy.appId);
    const client = applicationRepo.findOidcClient(tx, orgCode, appId);
    if (client) insertWithSecret(deps, tx, { ...client, ...WITHOUT_KEYS, ...BY_HAND, ...copy });
    const provider = serviceProviderRepo.findServiceProvider(tx, orgCode, appId);
    if (provider) serviceProviderRepo.insertServiceProvider(tx, { ...provider, ...copy });
    const network = networkClientRepo.findNetworkClient(tx, orgCode, appId);
    if (network) saveNetworkPart(deps, tx, { ...settings, ...copy }, { method: network.method });
    recordCreated(deps, tx, actor, copy.appId);
    return copy.appId;
  });
}

function copyLogo(tx: Tx, { orgCode, appId }: { orgCode: string; appId: string }, to: string): void {
  const picture = logoRepo.findAppLogo(tx, orgCode, appId);
  if (!picture) return;
  logoRepo.saveAppLogo(tx, { ...picture, appId: to });
  applicationRepo.changeApplication(tx, orgCode, to, { logo: logoAddress(orgCode, to, picture.etag) });
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
