import { hash } from 'node:crypto';
import { SYSTEM_ROLES, type WorldOrganisation } from '@orchestrate/shared';
import type { TableRows } from '../../database.ts';
import {
  apiResources,
  logos,
  mailTexts,
  oidcKeys,
  organisations,
  portalOidc,
  registrationTokens,
  roles,
  samlKeys,
  scimCredentials,
  scimSchemas,
  scimTokens,
  webhooks,
} from '../../schema/index.ts';
import { systemRoles } from '../organisations.ts';
import { tableRows } from '../table-rows.ts';
import type { Drawing } from './drawing.ts';
import type { FindPerson } from './find-person.ts';
import { pictureOf } from './picture-of.ts';

/** The name of an organisation that has none: its code, capitalised. */
const nameOf = ({ code, name }: WorldOrganisation): string => name ?? `${code.charAt(0).toUpperCase()}${code.slice(1)}`;

/** The organisations with their settings, and without what belongs to people or applications. */
export function organisationRows(orgs: readonly WorldOrganisation[], drawing: Drawing): TableRows[] {
  const { base, time } = drawing;
  const directoryFactsOf = (role: WorldOrganisation['roles'][number] | undefined) => ({
    externalId: role?.externalId ?? null,
    createdAt: time(role?.createdAt, null),
    changedAt: time(role?.changedAt, null),
  });
  return [
    tableRows(
      organisations,
      orgs.map((org, at) => {
        const { code, createdAt, primaryAttrField, primaryEmailField, mailLanguage, ...settings } = org;
        const { branding, loginOptions, security, provider } = settings;
        const { logo, title, ...look } = branding ?? {};
        return {
          orgCode: code,
          number: at + 1,
          name: nameOf(org),
          primaryAttrField,
          primaryEmailField,
          ...look,
          title: title ?? `Sign in to ${nameOf(org)}`,
          logo: logo ? `/logos/${code}?v=${pictureOf(logo).etag}` : null,
          ...loginOptions,
          ...security,
          portalOidcEnabled: provider?.enabled ?? false,
          oidcButtonLabel: provider?.buttonLabel ?? '',
          mailLanguage,
          createdAt: time(createdAt, base),
        };
      }),
    ),
    tableRows(
      logos,
      orgs.flatMap(({ code, branding }) => (branding?.logo ? [{ orgCode: code, ...pictureOf(branding.logo) }] : [])),
    ),
    tableRows(
      roles,
      orgs.flatMap(({ code: orgCode, roles: own }) => [
        ...systemRoles(orgCode).map((role) => ({
          ...role,
          ...directoryFactsOf(own.find(({ code }) => code === role.roleCode)),
        })),
        ...own
          .filter(({ code }) => !isSystemRole(code))
          .map((role) => ({
            orgCode,
            roleCode: role.code,
            name: role.name ?? role.code,
            type: 'custom' as const,
            permissions: role.permissions,
            ...directoryFactsOf(role),
          })),
      ]),
    ),
  ];
}

/** Whether a role is one of the portal's own. */
export const isSystemRole = (code: string): boolean => SYSTEM_ROLES.some(({ roleCode }) => roleCode === code);

/** Webhooks, keys, the external provider and the directory's credentials. */
export function connectionRows(orgs: readonly WorldOrganisation[], find: FindPerson, drawing: Drawing): TableRows[] {
  const { base, time, secret } = drawing;
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
    // The newest of one moment is the last.
    tableRows(
      scimTokens,
      orgs.flatMap(({ code, scimTokens: tokens }) =>
        [...tokens.entries()].reverse().map(([at, { id, name, token = '', ...more }]) => ({
          id: id ?? drawing.id(`scim token ${code} ${at}`),
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
          id: id ?? drawing.id(`scim schema ${code} ${schema.urn.toLowerCase()}`),
          orgCode: code,
          createdAt: time(createdAt, base),
        })),
      ),
    ),
    tableRows(
      registrationTokens,
      orgs.flatMap(({ code, registrationTokens: tokens }) =>
        [...tokens.entries()].reverse().map(([at, { id, name, token = '', ...more }]) => ({
          id: id ?? drawing.id(`registration token ${code} ${at}`),
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
      mailTexts,
      orgs.flatMap(({ code, mails }) =>
        mails.map(({ name, ...words }) => ({ ...words, orgCode: code, template: name })),
      ),
    ),
    tableRows(
      webhooks,
      orgs.flatMap(({ code, webhooks: hooks }) =>
        hooks.map(({ id, secret: given, oldSecretUntil, createdAt, failingSince, disabledAt, ...hook }, at) => ({
          ...hook,
          id: id ?? drawing.id(`webhook ${code} ${at}`),
          orgCode: code,
          secret: given ?? `whsec_${Buffer.from(secret(`webhook ${code} ${at}`), 'base64url').toString('base64')}`,
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
          id: id ?? drawing.id(`api resource ${code} ${at}`),
          orgCode: code,
          identifier,
          name,
          scopes,
          createdAt: time(createdAt, base),
        })),
      ),
    ),
    // In the tables the newest of one moment is the last.
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

/** Ten years, in milliseconds. */
const SAML_KEY_LIFETIME = 3_652 * 86_400_000;
