import { isDeepStrictEqual } from 'node:util';
import { apiResourceRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import { type ConfigurationPart, stepAt } from '#core/configuration/configuration-part.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { createApiResource, updateApiResource } from './api-resources.ts';

/** Imports the APIs in a file. Updates APIs with known identifiers and creates the others. */
export const configuredApis: ConfigurationPart = ({ deps, actor, file: { given } }) =>
  (given.apiResources ?? []).map(({ identifier, ...api }, at) => ({
    ...stepAt(['apiResources', at]),
    prepare: () => () => {
      const known = apiResourceRepo.findApiResourceByIdentifier(deps.db, actor.orgCode, identifier);
      const { name = known?.name ?? identifier.slice(0, 100), scopes = known?.scopes ?? [] } = api;
      const form = readPart(contract.createApiResource.body, { identifier, name, scopes });
      if (!known) createApiResource(deps, actor, form);
      else if (!isDeepStrictEqual({ name, scopes }, { name: known.name, scopes: known.scopes })) {
        updateApiResource(deps, actor, known.id, form, ANY_VERSION);
      }
    },
  }));
