import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Document } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { idpMetadata } from '../../protocols/saml/idp-metadata.ts';
import { applicationDetail } from './application-detail.ts';
import { addIdpCertificate, idpConfiguration, removeIdpCertificate } from './idp-configuration.ts';
import { readMetadata } from './read-metadata.ts';
import { createSamlApp, updateSamlApp } from './save-saml-app.ts';
import { addSigningKey, removeSigningKey } from './signing-keys.ts';

/** SAML applications, and the identity provider that an organisation is to them. */
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
