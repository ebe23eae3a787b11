import { scimSchemaRepo } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { discoveryAddressOf } from '../../core/sign-in/discovery-address.ts';
import { providerPolicy } from '../../core/sign-in/external-provider.ts';
import type { Deps } from '../../deps.ts';
import {
  fetchOutside,
  isLoopbackAddress,
  requireOutsideAddress,
  UNREADABLE,
} from '../../platform/adapters/fetch-outside.ts';
import { implement } from '../../platform/http/implement.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkClient } from './client-checks.ts';
import { type Discovery, readDiscovery } from './discovery.ts';
import { editableProvider, portalOidcOf, savePortalOidc } from './portal-oidc.ts';
import { editableCredentials, renewScimCredentials, scimCredentialsOf } from './scim-credentials.ts';
import { scimLogOf } from './scim-log.ts';
import { createScimSchema, deleteScimSchema, scimSchemaOf, updateScimSchema } from './scim-schemas.ts';
import { createScimToken, revokeScimToken, scimTokensOf } from './scim-tokens.ts';

/** What other systems are told: credentials for provisioning users, and the provider that signs them in. */
export function provisioning(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getScimCredentials, ({ caller, version }) => {
    version.answer(editableCredentials(deps.db, caller.orgCode));
    return scimCredentialsOf(deps, caller);
  });
  implement(app, deps, contract.renewScimCredentials, ({ caller, actor, version }) =>
    renewScimCredentials(deps, { caller, actor }, version),
  );

  implement(app, deps, contract.listScimTokens, ({ caller }) => ({ tokens: scimTokensOf(deps, caller.orgCode) }));
  implement(app, deps, contract.createScimToken, ({ caller, actor, body }) =>
    createScimToken(deps, { caller, actor }, body),
  );
  implement(app, deps, contract.revokeScimToken, ({ actor, params: { tokenId } }) => {
    revokeScimToken(deps, actor, tokenId);
    return {};
  });

  implement(app, deps, contract.listScimSchemas, ({ caller }) => ({
    schemas: scimSchemaRepo.listScimSchemas(deps.db, caller.orgCode).map(scimSchemaOf),
  }));
  implement(app, deps, contract.createScimSchema, async ({ actor, body }) => ({
    schema: scimSchemaOf(await createScimSchema(deps, actor, body)),
  }));
  implement(app, deps, contract.updateScimSchema, async ({ actor, params: { schemaId }, body, version }) => {
    const { deleteValues, ...form } = body;
    return { schema: scimSchemaOf(await updateScimSchema(deps, actor, schemaId, { form, deleteValues, version })) };
  });
  implement(app, deps, contract.deleteScimSchema, async ({ actor, params: { schemaId }, body }) => {
    await deleteScimSchema(deps, actor, schemaId, body.deleteValues);
    return {};
  });

  implement(app, deps, contract.getScimLog, ({ caller, query }) => scimLogOf(deps, caller.orgCode, query));

  implement(app, deps, contract.getOidcConfiguration, ({ caller, version }) => {
    const shown = portalOidcOf(deps, caller.orgCode);
    version.answer(editableProvider(shown));
    return shown;
  });
  implement(app, deps, contract.saveOidcConfiguration, ({ caller, actor, body, version }) => {
    const { approvalId, ...content } = body;
    return savePortalOidc(deps, { caller, actor, approvalId }, content, version);
  });
  implement(app, deps, contract.testOidcConfiguration, async ({ body }) => ({
    ...(await discover(deps, body.configurationUrl)),
    checks: await checkClient(deps, { clientId: '', clientSecret: '', ...body }),
  }));
}

/** A discovery document is a few kilobytes long. */
const DOCUMENT_MAX_BYTES = 262_144;

/**
 * @throws Refusal INVALID_REQUEST with an issue on `configurationUrl`, for anything that keeps the document from being
 * used
 */
async function discover(deps: Deps, configurationUrl: string): Promise<Discovery> {
  const field = 'configurationUrl';
  const policy = providerPolicy(deps);
  requireOutsideAddress(policy, configurationUrl, field);
  const address = discoveryAddressOf(configurationUrl);
  const options = { field, maxBytes: DOCUMENT_MAX_BYTES, accept: 'application/json' };
  const { body } = await fetchOutside(policy, address.url, options);
  const found = readDiscovery(body.toString(), address);
  if ('obstacle' in found) {
    // Not even the kind of other services on this machine is disclosed to others.
    const isHidden = isLoopbackAddress(address.url) && !policy.isLocal;
    const message = isHidden ? UNREADABLE : found.obstacle;
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: field, message }] });
  }
  return found;
}
