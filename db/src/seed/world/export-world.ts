import type { World } from '@orchestrate/shared';
import { asc, desc, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import {
  apiResources,
  oidcKeys,
  organisations,
  portalOidc,
  registrationTokens,
  samlKeys,
  scimCredentials,
  scimSchemas,
  scimTokens,
  webhooks,
  worlds,
} from '../../schema/index.ts';
import { unsealValue } from '../../sealed-columns.ts';
import { exportApplications, exportFaq } from './export-applications.ts';
import {
  exportEmails,
  exportGroups,
  exportRoles,
  type PersonReference,
  settingsExporter,
} from './export-organisation.ts';
import { exportPeople } from './export-people.ts';
import { groupRowsBy, isoTime, omitEmpty } from './omit-defaults.ts';

type Written = NonNullable<World['organisations']>[number];
type OrganisationRow = typeof organisations.$inferSelect;

type Connections = Pick<
  Written,
  | 'provider'
  | 'provisioning'
  | 'registrationTokens'
  | 'scimSchemas'
  | 'scimTokens'
  | 'webhooks'
  | 'apiResources'
  | 'keys'
>;

/**
 * Exports an organisation's connections to other systems: its external provider, directory, webhooks, APIs and keys.
 */
function exportedConnections(tx: Tx, nameOf: PersonReference): (row: OrganisationRow) => Connections {
  const providers = new Map(
    tx
      .select()
      .from(portalOidc)
      .all()
      .map((row) => [row.orgCode, row]),
  );
  const directories = new Map(
    tx
      .select()
      .from(scimCredentials)
      .all()
      .map((row) => [row.orgCode, row]),
  );
  const tokens = groupRowsBy(
    tx.select().from(scimTokens).orderBy(desc(scimTokens.createdAt), desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ id, orgCode, name, hash, createdAt, madeBySuid, ceiling, lastUsedAt, expiresAt }) => ({
      id,
      name,
      hash,
      createdAt: isoTime(createdAt),
      lastUsedAt: isoTime(lastUsedAt),
      expiresAt: isoTime(expiresAt),
      madeBy: nameOf(orgCode, madeBySuid),
      ceiling,
    }),
  );
  const schemas = groupRowsBy(
    tx.select().from(scimSchemas).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ id, urn, name, description, attributes, createdAt }) => ({
      id,
      urn,
      name,
      description,
      attributes,
      createdAt: isoTime(createdAt),
    }),
  );
  const registering = groupRowsBy(
    tx.select().from(registrationTokens).orderBy(desc(registrationTokens.createdAt), desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ id, orgCode, name, hash, createdAt, expiresAt, madeBySuid, lastUsedAt }) => ({
      id,
      name,
      hash,
      createdAt: isoTime(createdAt),
      expiresAt: isoTime(expiresAt),
      lastUsedAt: isoTime(lastUsedAt),
      madeBy: nameOf(orgCode, madeBySuid) ?? '',
    }),
  );
  const hooks = groupRowsBy(
    tx.select().from(webhooks).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ orgCode: _orgCode, ...hook }) => ({
      id: hook.id,
      url: unsealValue(tx, 'webhooks.url', hook.id, hook.url),
      description: hook.description,
      enabled: hook.enabled,
      events: hook.events,
      secret: unsealValue(tx, 'webhooks.secret', hook.id, hook.secret),
      oldSecret: hook.oldSecret === null ? undefined : unsealValue(tx, 'webhooks.oldSecret', hook.id, hook.oldSecret),
      oldSecretUntil: isoTime(hook.oldSecretUntil),
      createdAt: isoTime(hook.createdAt),
      failingSince: isoTime(hook.failingSince),
      disabledAt: isoTime(hook.disabledAt),
    }),
  );
  const apis = groupRowsBy(
    tx.select().from(apiResources).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ id, identifier, name, scopes, createdAt }) => ({
      id,
      identifier,
      name,
      scopes,
      createdAt: isoTime(createdAt),
    }),
  );
  const oidc = groupRowsBy(
    tx.select().from(oidcKeys).orderBy(desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ kid, alg, privateJwk, createdAt }) => ({
      id: kid,
      alg,
      privateJwk: JSON.parse(unsealValue(tx, 'oidc_keys.privateJwk', kid, privateJwk)),
      createdAt: isoTime(createdAt),
    }),
  );
  const saml = groupRowsBy(
    tx.select().from(samlKeys).orderBy(desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ kid, privateKey, certificate, createdAt, expiresAt }) => ({
      id: kid,
      privateKey: unsealValue(tx, 'saml_keys.privateKey', kid, privateKey),
      certificate,
      createdAt: isoTime(createdAt),
      expiresAt: isoTime(expiresAt),
    }),
  );
  return ({ orgCode, portalOidcEnabled, oidcButtonLabel }) => {
    const provider = providers.get(orgCode);
    const directory = directories.get(orgCode);
    return {
      provider: provider && {
        enabled: portalOidcEnabled,
        buttonLabel: oidcButtonLabel,
        configurationUrl: provider.configurationUrl,
        clientId: provider.clientId,
        clientSecret: unsealValue(tx, 'portal_oidc.clientSecret', orgCode, provider.clientSecret),
        configuredBy: nameOf(orgCode, provider.configuredBy),
      },
      provisioning: directory && {
        username: directory.username,
        password: unsealValue(tx, 'scim_credentials.password', orgCode, directory.password),
        createdAt: isoTime(directory.createdAt),
        madeBy: nameOf(orgCode, directory.madeBySuid),
        ceiling: directory.ceiling,
      },
      registrationTokens: omitEmpty(registering.get(orgCode)),
      scimSchemas: omitEmpty(schemas.get(orgCode)),
      scimTokens: omitEmpty(tokens.get(orgCode)),
      webhooks: omitEmpty(hooks.get(orgCode)),
      apiResources: omitEmpty(apis.get(orgCode)),
      keys:
        oidc.has(orgCode) || saml.has(orgCode)
          ? { oidc: omitEmpty(oidc.get(orgCode)), saml: omitEmpty(saml.get(orgCode)) }
          : undefined,
    };
  };
}

type WrittenOrganisation = NonNullable<World['organisations']>[number];

/**
 * Exports the current state of everything a world describes. Importing the world anywhere and exporting it again
 * yields an identical world. A world excludes sessions, pending sign-ins, one-time codes, the audit trail and the
 * outbox.
 */
export function exportWorld(tx: Tx): World {
  const [world] = tx.select().from(worlds).all();
  const rows = tx.select().from(organisations).orderBy(asc(organisations.number)).all();
  const randomSeed = world?.randomSeed ?? '';
  const settings = settingsExporter(tx);
  const roles = exportRoles(tx);
  const faq = exportFaq(tx);
  const { nameOf, people } = exportPeople(tx, randomSeed);
  const groups = exportGroups(tx, nameOf);
  const applications = exportApplications(tx, nameOf);
  const connections = exportedConnections(tx, nameOf);
  const mails = exportEmails(tx);
  return {
    randomSeed,
    organisations: rows.map((row): WrittenOrganisation => {
      const { orgCode } = row;
      return {
        ...settings(row),
        ...connections(row),
        mails: omitEmpty(mails.get(orgCode)),
        roles: omitEmpty(roles.get(orgCode)),
        groups: omitEmpty(groups.get(orgCode)),
        applications: applications.get(orgCode) ?? [],
        faq: omitEmpty(faq.get(orgCode)),
        people: people.get(orgCode) ?? [],
      };
    }),
  };
}
