import { applicationRepo, samlKeyRepo } from '@orchestrate/db';
import { type IdpConfiguration, LIMITS } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { createIdpKey, idpKeys } from '#core/saml-metadata/idp-keys.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { idpAddresses, oidcAddresses } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { oidcKeys, publishedUntil } from '#protocols/oidc/provider/oidc-keys.ts';
import { signingCertificate } from './saml-configuration.ts';

/** Returns the organisation's identity provider configuration. */
export async function idpConfiguration(deps: Deps, orgCode: string): Promise<IdpConfiguration> {
  const { db, clock, publicUrl } = deps;
  // Both sets of keys are created on first use, which is slow, so load them concurrently.
  const [keys, signingKeys] = await Promise.all([idpKeys(deps, orgCode), oidcKeys(deps, orgCode)]);
  const { issuer, discoveryUrl } = oidcAddresses(publicUrl, orgCode);
  const saml = applicationRepo
    .listApplications(db, orgCode)
    .filter(({ integrationType }) => integrationType === 'saml');
  return {
    issuer,
    discoveryUrl,
    signingKeys: signingKeys.map((key) => {
      const end = publishedUntil(signingKeys, key);
      const { kid, alg, createdAt } = key;
      return { kid, alg, createdAt: isoOf(createdAt), isSigning: end === null, publishedUntil: isoOf(end) };
    }),
    certificates: keys.map((key) => ({ ...signingCertificate(key, clock.now()), kid: key.kid })),
    applications: saml.map((app) => {
      const { entityId, singleSignOnUrl, metadataUrl } = idpAddresses(publicUrl, app);
      return { appId: app.appId, name: app.name, entityId, singleSignOnUrl, metadataUrl };
    }),
  };
}

/** Adds a key and starts signing with it. @throws Refusal INVALID_REQUEST if the organisation has too many keys */
export async function addIdpCertificate(deps: Deps, actor: AuditActor): Promise<void> {
  const { orgCode } = actor;
  await idpKeys(deps, orgCode);
  insertKey(deps, actor, await createIdpKey(deps, orgCode));
}

function insertKey(deps: Deps, actor: AuditActor, key: samlKeyRepo.SamlKeyRow): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    if (samlKeyRepo.listSamlKeys(tx, orgCode).length >= LIMITS.samlCertificates) {
      throw new Refusal('INVALID_REQUEST', {
        message: `You can have at most ${LIMITS.samlCertificates} certificates. Delete an old one first.`,
      });
    }
    samlKeyRepo.insertSamlKey(tx, key);
    const after = factsOf({ expiresAt: isoOf(key.expiresAt) });
    record(deps, tx, actor, { action: 'idp-certificate.added', object: certificateObject(key.kid), after });
  });
}

/**
 * Removes a key that no longer signs from the metadata. @throws Refusal ID_DOESNOT_EXIST; FORBIDDEN if it is the
 * signing key
 */
export function removeIdpCertificate(deps: Deps, actor: AuditActor, kid: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const keys = samlKeyRepo.listSamlKeys(tx, orgCode);
    const gone = keys.find((key) => key.kid === kid);
    if (!gone) throw new Refusal('ID_DOESNOT_EXIST');
    if (keys[0]?.kid === kid) {
      throw new Refusal('FORBIDDEN', {
        message: 'The newest certificate is used for signing. Create a new one before you delete it.',
      });
    }
    samlKeyRepo.deleteSamlKey(tx, orgCode, kid);
    const before = factsOf({ expiresAt: isoOf(gone.expiresAt) });
    record(deps, tx, actor, { action: 'idp-certificate.deleted', object: certificateObject(kid), before });
  });
}

const certificateObject = (kid: string) => ({ type: 'idp-certificate', id: kid, name: 'SAML certificate' }) as const;
