import { apiResourceRepo, applicationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { isForSamlOnly } from '../../platform/http/callers/permissions.ts';
import { implement } from '../../platform/http/implement.ts';
import { apiResourceOf, createApiResource, deleteApiResource, updateApiResource } from './api-resources.ts';
import { appIdFor } from './app-id.ts';
import { deleteAppLogo, saveAppLogo } from './app-logo.ts';
import { applicationDetail } from './application-detail.ts';
import { applicationOf } from './application-of.ts';
import { addClientSecret, revokeClientSecret } from './client-secrets.ts';
import { createApp } from './create-app.ts';
import { deleteApp } from './delete-app.ts';
import { duplicateApp } from './duplicate-app.ts';
import { loginDefaults } from './login-defaults.ts';
import { replaceSharedSecret } from './network-client.ts';
import { ownApps } from './own-apps.ts';
import { registrationEndpoint } from './register-client.ts';
import { registration } from './registration-routes.ts';
import { createRegistrationToken, registrationTokensOf, revokeRegistrationToken } from './registration-tokens.ts';
import { samlDefaults } from './saml-defaults.ts';
import { samlApps } from './saml-routes.ts';
import { updateApp } from './update-app.ts';

/** The applications of an organisation. */
export function apps(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  implement(app, deps, contract.listApiResources, ({ caller: { orgCode } }) => ({
    resources: apiResourceRepo.listApiResources(db, orgCode).map(apiResourceOf),
  }));
  implement(app, deps, contract.createApiResource, ({ actor, body }) => ({
    resource: apiResourceOf(createApiResource(deps, actor, body)),
  }));
  implement(app, deps, contract.updateApiResource, ({ actor, params: { resourceId }, body, version }) => ({
    resource: apiResourceOf(updateApiResource(deps, actor, resourceId, body, version)),
  }));
  implement(app, deps, contract.deleteApiResource, ({ actor, params: { resourceId } }) => {
    deleteApiResource(deps, actor, resourceId);
    return {};
  });

  registration(app, deps);
  implement(app, deps, contract.listRegistrationTokens, ({ caller: { orgCode } }) => ({
    endpoint: registrationEndpoint(deps.publicUrl, orgCode),
    tokens: registrationTokensOf(deps, orgCode),
  }));
  implement(app, deps, contract.createRegistrationToken, ({ actor, body }) =>
    createRegistrationToken(deps, actor, body),
  );
  implement(app, deps, contract.revokeRegistrationToken, ({ actor, params: { tokenId } }) => {
    revokeRegistrationToken(deps, actor, tokenId);
    return {};
  });

  implement(app, deps, contract.listApps, ({ caller }) => {
    const all = applicationRepo.listApplications(db, caller.orgCode);
    const shown = isForSamlOnly(caller, contract.listApps.access)
      ? all.filter(({ integrationType }) => integrationType === 'saml')
      : all;
    const kinds = applicationRepo.listClientKinds(db, caller.orgCode);
    return { apps: shown.map((app) => applicationOf(app, kinds.get(app.appId))) };
  });

  implement(app, deps, contract.getDefaultLoginOptions, ({ caller: { orgCode } }) => ({
    result: { ...loginDefaults(db, orgCode), ...samlDefaults() },
  }));

  implement(app, deps, contract.validateAppName, ({ caller: { orgCode }, body: { appName, appId } }) => ({
    result: {
      proposedAppId: appIdFor(appName, applicationRepo.listAppIds(db, orgCode)),
      available: applicationRepo.findIdByName(db, orgCode, appName, appId) === undefined,
    },
  }));

  implement(app, deps, contract.getApp, async ({ caller: { orgCode }, params: { appId }, version }) => ({
    app: await applicationDetail(deps, orgCode, appId, version),
  }));

  implement(app, deps, contract.createApp, async ({ caller: { orgCode }, actor, body }) => ({
    app: await applicationDetail(deps, orgCode, createApp(deps, actor, body)),
  }));

  implement(app, deps, contract.updateApp, async ({ caller: { orgCode }, actor, params: { appId }, body, version }) => {
    updateApp(deps, actor, appId, body, version);
    return { app: await applicationDetail(deps, orgCode, appId, version) };
  });

  implement(app, deps, contract.duplicateApp, async ({ actor, params: { appId }, body: { name } }) => ({
    appId: await duplicateApp(deps, actor, appId, name),
  }));

  implement(app, deps, contract.saveAppLogo, ({ actor, params: { appId }, file }) =>
    saveAppLogo(deps, actor, appId, file),
  );

  implement(app, deps, contract.deleteAppLogo, ({ actor, params: { appId } }) => {
    deleteAppLogo(deps, actor, appId);
    return {};
  });

  implement(app, deps, contract.listOwnApps, ({ caller }) => ({ apps: ownApps(deps, caller) }));

  implement(app, deps, contract.deleteApp, ({ actor, params: { appId } }) => {
    deleteApp(deps, actor, appId);
    return {};
  });

  implement(app, deps, contract.replaceSharedSecret, ({ actor, params: { appId }, body }) => ({
    secret: replaceSharedSecret(deps, actor, appId, body.secret),
  }));

  implement(app, deps, contract.createClientSecret, ({ actor, params: { appId }, body }) => ({
    secret: addClientSecret(deps, actor, appId, body),
  }));

  implement(app, deps, contract.deleteClientSecret, ({ actor, params: { appId, secretId } }) => {
    revokeClientSecret(deps, actor, appId, secretId);
    return {};
  });

  samlApps(app, deps);
}
