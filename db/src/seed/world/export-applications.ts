import { type AppClaim, NAME_ID_FORMATS, type World } from '@orchestrate/shared';
import { asc, eq, type SQLiteColumn, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import {
  appLogos,
  applications,
  clientSecrets,
  faqCategories,
  faqRecords,
  faqSubcategories,
  groups,
  oidcClients,
  provisioningTargets,
  radiusLdapClients,
  roles,
  samlServiceProviders,
} from '../../schema/index.ts';
import { unsealValue } from '../../sealed-columns.ts';
import type { PersonReference } from './export-organisation.ts';
import { groupRowsBy, isoTime, omitEmpty } from './omit-defaults.ts';

type Written = NonNullable<World['organisations']>[number];

const keyOf = ({ orgCode, appId }: { orgCode: string; appId: string }) => `${orgCode} ${appId}`;

const groupKey = (orgCode: string, groupId: string) => `${orgCode} ${groupId}`;

/**
 * Exports applications with their settings, by organisation.
 * @param only the organisation to export; all organisations by default
 */
export function exportApplications(
  tx: Tx,
  nameOf: PersonReference,
  only?: string,
): Map<string, NonNullable<Written['applications']>> {
  const within = (orgCode: SQLiteColumn) => (only === undefined ? undefined : eq(orgCode, only));
  const groupNames = new Map(
    tx
      .select({ orgCode: groups.orgCode, groupId: groups.groupId, name: groups.displayName })
      .from(groups)
      .where(within(groups.orgCode))
      .all()
      .map(({ orgCode, groupId, name }) => [groupKey(orgCode, groupId), name]),
  );
  const secrets = groupRowsBy(
    tx.select().from(clientSecrets).where(within(clientSecrets.orgCode)).orderBy(sql`rowid`).all(),
    keyOf,
    (row) => ({
      id: row.id,
      name: row.name,
      secret: unsealValue(tx, 'client_secrets.secret', row.id, row.secret),
      createdAt: isoTime(row.createdAt),
      expiresAt: isoTime(row.expiresAt),
      lastUsedAt: isoTime(row.lastUsedAt),
    }),
  );
  const clients = new Map(
    tx
      .select()
      .from(oidcClients)
      .where(within(oidcClients.orgCode))
      .all()
      .map((row) => [keyOf(row), row]),
  );
  const providers = new Map(
    tx
      .select()
      .from(samlServiceProviders)
      .where(within(samlServiceProviders.orgCode))
      .all()
      .map((row) => [keyOf(row), row]),
  );
  const network = new Map(
    tx
      .select()
      .from(radiusLdapClients)
      .where(within(radiusLdapClients.orgCode))
      .all()
      .map((row) => [
        keyOf(row),
        { method: row.method, secret: unsealValue(tx, 'network_clients.secret', keyOf(row), row.secret) },
      ]),
  );
  const targets = new Map(
    tx
      .select()
      .from(provisioningTargets)
      .where(within(provisioningTargets.orgCode))
      .all()
      .map((row) => [
        keyOf(row),
        {
          url: unsealValue(tx, 'provisioning_targets.url', keyOf(row), row.url),
          authentication: row.authentication,
          username: row.username,
          enabled: row.enabled,
          changesBy: row.changesBy,
          withoutAccess: row.withoutAccess,
          sendManagers: row.sendManagers,
          sendRoles: row.sendRoles,
          sendAttributes: row.sendAttributes,
          sendGroups: row.sendGroups,
          secret: unsealValue(tx, 'provisioning_targets.secret', keyOf(row), row.secret),
          createdAt: isoTime(row.createdAt),
        },
      ]),
  );
  const pictures = new Map(
    tx
      .select()
      .from(appLogos)
      .where(within(appLogos.orgCode))
      .all()
      .map((logo) => [keyOf(logo), { contentType: logo.contentType, bytes: logo.bytes.toString('base64') }]),
  );
  const present = new Set(
    tx
      .select({ orgCode: roles.orgCode, roleCode: roles.roleCode })
      .from(roles)
      .where(within(roles.orgCode))
      .all()
      .map(({ orgCode, roleCode }) => `${orgCode} ${roleCode}`),
  );
  const presentRoles = (orgCode: string, codes: readonly string[]) =>
    codes.filter((code) => present.has(`${orgCode} ${code}`));
  const namesOf = (orgCode: string, ids: readonly string[] = []) =>
    ids.flatMap((id) => groupNames.get(groupKey(orgCode, id)) ?? []);
  // Drops claims limited to deleted roles and groups. They apply to no one, and exporting them without these limits
  // would apply them to everyone.
  const claimsOf = (orgCode: string, claims: readonly AppClaim[]) =>
    claims
      .map((claim) => ({
        ...claim,
        roles: presentRoles(orgCode, claim.roles),
        groups: namesOf(orgCode, claim.groups),
      }))
      .filter(({ roles, groups }, at) => {
        const original = claims[at];
        return !original || original.roles.length + original.groups.length === 0 || roles.length + groups.length > 0;
      });
  return groupRowsBy(
    tx.select().from(applications).where(within(applications.orgCode)).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    (row) => {
      const { orgCode: _oidcOrg, appId: _oidcApp, ...client } = clients.get(keyOf(row)) ?? {};
      const { orgCode: _samlOrg, appId: _samlApp, nameIdFormat, ...provider } = providers.get(keyOf(row)) ?? {};
      const format = NAME_ID_FORMATS.find((known) => known === nameIdFormat) ?? '';
      return {
        id: row.appId,
        name: row.name,
        description: row.description,
        type: row.integrationType,
        createdAt: isoTime(row.createdAt),
        maxCookieLife: row.maxCookieLife,
        didEnabled: row.didEnabled,
        webAuthnEnabled: row.webAuthnEnabled,
        desktopAppEnabled: row.desktopAppEnabled,
        forceAuthnEnabled: row.forceAuthnEnabled,
        usableBy: row.usableBy
          ? {
              roles: presentRoles(row.orgCode, row.usableBy.roles),
              people: row.usableBy.people.flatMap((suid) => nameOf(row.orgCode, suid) ?? []),
              groups: namesOf(row.orgCode, row.usableBy.groups),
            }
          : undefined,
        startUrl: row.startUrl ?? undefined,
        logo: pictures.get(keyOf(row)),
        provisioning: targets.get(keyOf(row)),
        oidc:
          'redirectUris' in client
            ? { ...client, claims: claimsOf(row.orgCode, client.claims), secrets: secrets.get(keyOf(row)) ?? [] }
            : undefined,
        saml: 'metadata' in provider ? { ...provider, nameIdFormat: format } : undefined,
        radius: row.integrationType === 'radius' ? network.get(keyOf(row)) : undefined,
        ldap: row.integrationType === 'ldap' ? ldapOf(network.get(keyOf(row))) : undefined,
      };
    },
  );
}

/** Exports one application. Members are listed by their IDs. */
export const exportApplication = (tx: Tx, orgCode: string, appId: string) =>
  exportApplications(tx, (_organisation, suid) => suid ?? undefined, orgCode)
    .get(orgCode)
    ?.find(({ id }) => id === appId);

const ldapOf = (client: { secret: string } | undefined) => client && { secret: client.secret };

/** Exports the questions and answers of all organisations. */
export function exportFaq(tx: Tx): Map<string, NonNullable<Written['faq']>> {
  const records = groupRowsBy(
    tx.select().from(faqRecords).orderBy(asc(faqRecords.position), sql`rowid`).all(),
    ({ subcategoryId }) => subcategoryId,
    ({ id, question, answer }) => ({ id, question, answer }),
  );
  const subcategories = groupRowsBy(
    tx.select().from(faqSubcategories).orderBy(asc(faqSubcategories.position), sql`rowid`).all(),
    ({ categoryId }) => categoryId,
    ({ id, name }) => ({ id, name, records: omitEmpty(records.get(id)) }),
  );
  return groupRowsBy(
    tx.select().from(faqCategories).orderBy(asc(faqCategories.position), sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ id, name }) => ({ id, name, subcategories: omitEmpty(subcategories.get(id)) }),
  );
}
