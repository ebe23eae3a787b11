import { hash } from 'node:crypto';
import { DAY, SYSTEM_ROLES, type WorldOrganisation } from '@orchestrate/shared';
import type { TableRows } from '../../database.ts';
import {
  apiResources,
  oidcKeys,
  portalOidc,
  registrationTokens,
  samlKeys,
  scimCredentials,
  scimSchemas,
  scimTokens,
  webhooks,
} from '../../schema/index.ts';
import { tableRows } from '../table-rows.ts';
import type { FindPerson } from './find-person.ts';
import type { ValueGenerator } from './value-generator.ts';

/**
 * Returns the rows that connect organisations to other systems: external providers, directories, webhooks, APIs and
 * keys.
 */
export function connectionRows(
  orgs: readonly WorldOrganisation[],
  find: FindPerson,
  generator: ValueGenerator,
): TableRows[] {
  const { base, time, secret } = generator;
  return [
    tableRows(
      portalOidc,
      orgs.flatMap(({ code, provider }) => {
        if (!provider) return [];
        const { configurationUrl, clientId, clientSecret, configuredBy } = provider;
        return [{ orgCode: code, configurationUrl, clientId, clientSecret, configuredBy: find(code, configuredBy) }];
      }),
    ),
    tableRows(
      scimCredentials,
      orgs.flatMap(({ code, provisioning }) => {
        if (!provisioning) return [];
        const { username = `scim-${code}`, password = secret(`scim password ${code}`), ...more } = provisioning;
        return [
          {
            orgCode: code,
            username,
            password,
            createdAt: time(more.createdAt, base),
            madeBySuid: find(code, more.madeBy),
            ceiling: more.ceiling ?? [...(SYSTEM_ROLES[0]?.permissions ?? [])],
          },
        ];
      }),
    ),
    // Reversed because, among rows created at the same time, the last one inserted counts as the newest.
    tableRows(
      scimTokens,
      orgs.flatMap(({ code, scimTokens: tokens }) =>
        [...tokens.entries()].reverse().map(([at, { id, name, token = '', ...more }]) => ({
          id: id ?? generator.id(`scim token ${code} ${at}`),
          orgCode: code,
          name,
          hash: more.hash ?? hash('sha256', token, 'base64url'),
          createdAt: time(more.createdAt, base),
          madeBySuid: find(code, more.madeBy),
          ceiling: more.ceiling ?? [...(SYSTEM_ROLES[0]?.permissions ?? [])],
          lastUsedAt: time(more.lastUsedAt, null),
          expiresAt: time(more.expiresAt, null),
        })),
      ),
    ),
    tableRows(
      scimSchemas,
      orgs.flatMap(({ code, scimSchemas: schemas }) =>
        schemas.map(({ id, createdAt, ...schema }) => ({
          ...schema,
          id: id ?? generator.id(`scim schema ${code} ${schema.urn.toLowerCase()}`),
          orgCode: code,
          createdAt: time(createdAt, base),
        })),
      ),
    ),
    tableRows(
      registrationTokens,
      orgs.flatMap(({ code, registrationTokens: tokens }) =>
        [...tokens.entries()].reverse().map(([at, { id, name, token = '', ...more }]) => ({
          id: id ?? generator.id(`registration token ${code} ${at}`),
          orgCode: code,
          name,
          hash: more.hash ?? hash('sha256', token, 'base64url'),
          createdAt: time(more.createdAt, base),
          expiresAt: time(more.expiresAt, null),
          madeBySuid: find(code, more.madeBy),
          lastUsedAt: time(more.lastUsedAt, null),
        })),
      ),
    ),
    tableRows(
      webhooks,
      orgs.flatMap(({ code, webhooks: hooks }) =>
        hooks.map(({ id, secret: ownSecret, oldSecretUntil, createdAt, failingSince, disabledAt, ...hook }, at) => ({
          ...hook,
          id: id ?? generator.id(`webhook ${code} ${at}`),
          orgCode: code,
          secret: ownSecret ?? webhookSecret(secret(`webhook ${code} ${at}`)),
          oldSecretUntil: time(oldSecretUntil, null),
          createdAt: time(createdAt, base),
          failingSince: time(failingSince, null),
          disabledAt: time(disabledAt, null),
        })),
      ),
    ),
    tableRows(
      apiResources,
      orgs.flatMap(({ code, apiResources: apis }) =>
        apis.map(({ id, identifier, name = identifier, createdAt, scopes }, at) => ({
          id: id ?? generator.id(`api resource ${code} ${at}`),
          orgCode: code,
          identifier,
          name,
          scopes,
          createdAt: time(createdAt, base),
        })),
      ),
    ),
    // Reversed because, among rows created at the same time, the last one inserted counts as the newest.
    tableRows(
      oidcKeys,
      orgs.flatMap(({ code, keys }) =>
        (keys?.oidc ?? []).toReversed().map(({ id, alg, privateJwk, createdAt }) => ({
          kid: id,
          orgCode: code,
          alg,
          privateJwk: JSON.stringify(privateJwk),
          createdAt: time(createdAt, base),
        })),
      ),
    ),
    tableRows(
      samlKeys,
      orgs.flatMap(({ code, keys }) =>
        (keys?.saml ?? []).toReversed().map(({ id, privateKey, certificate, createdAt, expiresAt }) => ({
          kid: id,
          orgCode: code,
          privateKey,
          certificate,
          createdAt: time(createdAt, base),
          expiresAt: time(expiresAt, base + SAML_KEY_LIFETIME),
        })),
      ),
    ),
  ];
}

/**
 * Formats a secret as described in Standard Webhooks 1.0.0, "Signature scheme".
 * @param secret base64url
 */
export const webhookSecret = (secret: string): string => `whsec_${Buffer.from(secret, 'base64url').toString('base64')}`;

/** About ten years, in milliseconds. */
const SAML_KEY_LIFETIME = 3_652 * DAY;
