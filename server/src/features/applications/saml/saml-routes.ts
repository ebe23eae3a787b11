import { oidcKeyRepo } from '@orchestrate/db';
import { contract, LIMITS } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { Document } from '#platform/http/answers/answer.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';
import { createSuccessor, oidcKeys, retiredKeys } from '#protocols/oidc/provider/oidc-keys.ts';
import { idpMetadata } from '#protocols/saml/idp-metadata.ts';
import { applicationDetail } from '../application-detail.ts';
import { addIdpCertificate, idpConfiguration, removeIdpCertificate } from './idp-configuration.ts';
import { readMetadata } from './read-metadata.ts';
import { createSamlApp, updateSamlApp } from './save-saml-app.ts';

type Algorithm = oidcKeyRepo.OidcKeyRow['alg'];

/**
 * Adds a key and starts signing with it. The previous key stays published, as after a renewal; expired keys are
 * deleted.
 * @throws Refusal INVALID_REQUEST if the organisation has too many keys
 */
async function addSigningKey(deps: Deps, actor: AuditActor, alg: Algorithm): Promise<void> {
  const { orgCode } = actor;
  const make = async () => {
    await oidcKeys(deps, orgCode);
    return await createSuccessor(deps, orgCode, alg);
  };
  // In a world, each key is derived from the previous key. If two requests run concurrently, the second one derives
  // the next key.
  while (!insertKey(deps, actor, await make()));
}

/** Stores a key. @returns false if a concurrent request added the same key */
function insertKey(deps: Deps, actor: AuditActor, key: oidcKeyRepo.OidcKeyRow): boolean {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const rows = oidcKeyRepo.listOidcKeys(tx, orgCode);
    const retired = retiredKeys(rows, deps.clock.now()).map(({ kid }) => kid);
    if (rows.length - retired.length >= LIMITS.signingKeys) {
      throw new Refusal('INVALID_REQUEST', {
        message: `You can have at most ${LIMITS.signingKeys} keys. Withdraw an old one first.`,
      });
    }
    if (retired.length > 0) oidcKeyRepo.deleteOidcKeys(tx, orgCode, retired);
    if (rows.some(({ kid }) => kid === key.kid)) return false;
    oidcKeyRepo.insertOidcKeys(tx, [key]);
    record(deps, tx, actor, { action: 'signing-key.added', object: keyObject(key), after: { alg: key.alg } });
    return true;
  });
}

/** Removes a key. @throws Refusal ID_DOESNOT_EXIST; FORBIDDEN if it is the signing key */
function removeSigningKey(deps: Deps, actor: AuditActor, kid: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const rows = oidcKeyRepo.listOidcKeys(tx, orgCode);
    const gone = rows.find((row) => row.kid === kid);
    if (!gone) throw new Refusal('ID_DOESNOT_EXIST');
    if (rows.find(({ alg }) => alg === gone.alg)?.kid === kid) {
      throw new Refusal('FORBIDDEN', { message: 'This key is used for signing. Create a new one first.' });
    }
    oidcKeyRepo.deleteOidcKeys(tx, orgCode, [kid]);
    record(deps, tx, actor, { action: 'signing-key.deleted', object: keyObject(gone), before: { alg: gone.alg } });
  });
}

const keyObject = ({ kid, alg }: oidcKeyRepo.OidcKeyRow) =>
  ({ type: 'signing-key', id: kid, name: `OpenID Connect key ${alg}` }) as const;

/** Registers the endpoints for SAML applications and the organisation's identity provider. */
export function samlApps(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.createSamlApp, async ({ actor, body }) => ({
    appId: await createSamlApp(deps, actor, body),
  }));

  implement(
    app,
    deps,
    contract.updateSamlApp,
    async ({ caller: { orgCode }, actor, params: { appId }, body, version }) => {
      await updateSamlApp(deps, actor, appId, body, version);
      return { app: await applicationDetail(deps, orgCode, appId, version) };
    },
  );

  implement(app, deps, contract.readSamlMetadata, ({ body }) => readMetadata(deps, body));

  implement(app, deps, contract.getIdpMetadata, async ({ query: { orgCode, appId, download } }) => {
    const fileName = download === 'true' ? 'saml-idp-metadata.xml' : undefined;
    return new Document(await idpMetadata(deps, orgCode, appId), fileName);
  });

  implement(app, deps, contract.getIdpConfiguration, ({ caller: { orgCode } }) => idpConfiguration(deps, orgCode));

  implement(app, deps, contract.createIdpCertificate, async ({ caller: { orgCode }, actor }) => {
    await addIdpCertificate(deps, actor);
    return idpConfiguration(deps, orgCode);
  });

  implement(app, deps, contract.deleteIdpCertificate, ({ caller: { orgCode }, actor, params: { kid } }) => {
    removeIdpCertificate(deps, actor, kid);
    return idpConfiguration(deps, orgCode);
  });

  implement(app, deps, contract.createSigningKey, async ({ caller: { orgCode }, actor, body: { alg } }) => {
    await addSigningKey(deps, actor, alg);
    return idpConfiguration(deps, orgCode);
  });

  implement(app, deps, contract.deleteSigningKey, ({ caller: { orgCode }, actor, params: { kid } }) => {
    removeSigningKey(deps, actor, kid);
    return idpConfiguration(deps, orgCode);
  });
}
