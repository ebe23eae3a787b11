import {
  authMethodOf,
  type FullWorld,
  hasKeys,
  nameKey,
  publicKindOf,
  type WorldApplication,
  type WorldOrganisation,
} from '@orchestrate/shared';
import { and, eq } from '#drizzle';
import { type TableRows, type Tx, vaultOf } from '../../database.ts';
import { findGroupByName } from '../../repos/members/groups.ts';
import { findMember, findMemberByEmail } from '../../repos/members/members.ts';
import {
  appLogos,
  applications,
  clientSecrets,
  faqCategories,
  faqRecords,
  faqSubcategories,
  oidcClients,
  provisioningTargets,
  radiusLdapClients,
  samlServiceProviders,
  worlds,
} from '../../schema/index.ts';
import { portalApplication } from '../applications.ts';
import { type KeySource, keySourceOf } from '../key-source.ts';
import { insertRows, tableRows } from '../table-rows.ts';
import { connectionRows } from './connection-rows.ts';
import { type FindPerson, personFinder } from './find-person.ts';
import { groupFinder, groupMemberRows, groupRows } from './group-rows.ts';
import { logoColumns, organisationRows } from './organisation-rows.ts';
import { peopleRows } from './people-rows.ts';
import { createValueGenerator, type ValueGenerator } from './value-generator.ts';

/** An application with its organisation and the groups that its world can name. */
type OwnedApplication = WorldApplication & {
  orgCode: string;
  findGroup: (name: string) => string | undefined;
};

/** Returns all organisations' applications with their settings. Every organisation has a portal application. */
function applicationRows(orgs: readonly WorldOrganisation[], find: FindPerson, generator: ValueGenerator): TableRows[] {
  const { base, time } = generator;
  const owned = orgs.map((org) => {
    const findGroup = groupFinder(org, generator);
    return { org, apps: org.applications.map((app) => ({ orgCode: org.code, findGroup, ...app })) };
  });
  return [
    tableRows(
      applications,
      owned.flatMap(({ org, apps }) => [
        ...(apps.some(({ type }) => type === 'portal')
          ? []
          : [portalApplication(org.code, `${org.name ?? org.code} Portal`, time(org.createdAt, base))]),
        ...apps.map((app) => applicationRow(app, find, generator)),
      ]),
    ),
    ...settingsRows(
      owned.flatMap(({ apps }) => apps),
      generator,
    ),
  ];
}

function applicationRow(app: OwnedApplication, find: FindPerson, { base, time }: ValueGenerator) {
  const { id, name = id, type, createdAt, usableBy, logo, startUrl, orgCode, findGroup, description } = app;
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = app;
  return {
    orgCode,
    appId: id,
    name,
    nameKey: nameKey(name),
    description,
    integrationType: type,
    startUrl: startUrl || null,
    logo: logo ? `/logos/${orgCode}/${id}?v=${logoColumns(logo).etag}` : null,
    usableBy: usableBy && {
      roles: usableBy.roles,
      people: usableBy.people.flatMap((named) => find(orgCode, named) ?? []),
      groups: usableBy.groups.flatMap((group) => findGroup(group) ?? []),
    },
    createdAt: time(createdAt, base),
    maxCookieLife,
    didEnabled,
    webAuthnEnabled,
    desktopAppEnabled,
    forceAuthnEnabled,
  };
}

/**
 * Inserts an application, or replaces the settings of the application with its ID. Must run inside a transaction.
 * @param now in milliseconds; the application's relative times are relative to it
 */
export function saveWorldApplication(tx: Tx, orgCode: string, app: WorldApplication, now: number): void {
  const { randomSeed = '' } = tx.select().from(worlds).get() ?? {};
  const generator = createValueGenerator({ randomSeed, organisations: [] }, now, keySourceOf(tx.connection));
  const findGroup = (name: string) => findGroupByName(tx, orgCode, name)?.groupId;
  const find: FindPerson = (_organisation, named = '') =>
    (findMember(tx, orgCode, named) ?? findMemberByEmail(tx, orgCode, named))?.suid ?? null;
  const owned = { ...app, orgCode, findGroup };
  const row = applicationRow(owned, find, generator);
  const { orgCode: _organisation, appId, ...change } = row;
  // Other tables refer to the application, so its own row is never deleted.
  tx.insert(applications)
    .values(row)
    .onConflictDoUpdate({ target: [applications.orgCode, applications.appId], set: change })
    .run();
  for (const table of [appLogos, oidcClients, clientSecrets, samlServiceProviders, radiusLdapClients]) {
    tx.delete(table)
      .where(and(eq(table.orgCode, orgCode), eq(table.appId, appId)))
      .run();
  }
  if (app.provisioning) {
    tx.delete(provisioningTargets)
      .where(and(eq(provisioningTargets.orgCode, orgCode), eq(provisioningTargets.appId, appId)))
      .run();
  }
  insertRows(tx.connection.raw, settingsRows([owned], generator), vaultOf(tx));
}

/** Returns the settings of applications, without the rows of the applications themselves. */
function settingsRows(all: readonly OwnedApplication[], generator: ValueGenerator): TableRows[] {
  const { base, time, secret } = generator;
  return [
    tableRows(
      appLogos,
      all.flatMap(({ orgCode, id, logo }) => (logo ? [{ orgCode, appId: id, ...logoColumns(logo) }] : [])),
    ),
    tableRows(
      oidcClients,
      all.flatMap(({ orgCode, findGroup, id, oidc }) => {
        if (!oidc) return [];
        const { secrets: _secrets, ...client } = oidc;
        const claims = client.claims.map((claim) => ({
          ...claim,
          groups: claim.groups.flatMap((name) => findGroup(name) ?? []),
        }));
        return [{ orgCode, appId: id, ...client, claims, kind: kindOf(oidc) }];
      }),
    ),
    tableRows(
      clientSecrets,
      all.flatMap(({ orgCode, id: appId, oidc }) => {
        if (!oidc) return [];
        const method = authMethodOf({ ...oidc, kind: kindOf(oidc) });
        const { secrets = method === 'client_secret_basic' ? [{ name: 'First' }] : [] } = oidc;
        return secrets.map((entry, at) => ({
          id: entry.id ?? generator.id(`secret id ${orgCode}/${appId} ${at}`),
          orgCode,
          appId,
          name: entry.name,
          secret: entry.secret ?? secret(`client ${orgCode}/${appId} ${at}`),
          createdAt: time(entry.createdAt, base),
          expiresAt: time(entry.expiresAt, null),
          lastUsedAt: time(entry.lastUsedAt, null),
        }));
      }),
    ),
    tableRows(
      samlServiceProviders,
      all.flatMap(({ orgCode, id, saml }) => (saml ? [{ orgCode, appId: id, ...saml }] : [])),
    ),
    tableRows(
      provisioningTargets,
      all.flatMap(({ orgCode, id: appId, provisioning }) => {
        if (!provisioning) return [];
        const {
          secret: ownSecret = secret(`provisioning ${orgCode}/${appId}`),
          createdAt,
          url,
          ...settings
        } = provisioning;
        // Worlds don't include the service's state, so all members are marked for sending once the portal runs.
        const markedUpTo = settings.enabled ? 0 : null;
        const row = {
          ...settings,
          url: url.replace(/\/+$/, ''),
          secret: ownSecret,
          createdAt: time(createdAt, base),
          markedUpTo,
        };
        return [{ orgCode, appId, ...row }];
      }),
    ),
    tableRows(
      radiusLdapClients,
      all.flatMap(({ orgCode, id: appId, type, radius, ldap }) => {
        if (type !== 'radius' && type !== 'ldap') return [];
        const { secret: ownSecret, method = 'number' } = { ...radius, ...ldap };
        return [{ orgCode, appId, secret: ownSecret ?? secret(`network client ${orgCode}/${appId}`), method }];
      }),
    ),
  ];
}

type OidcPart = NonNullable<WorldApplication['oidc']>;

/** Returns a client's kind. Worlds from before `kind` existed use an empty list of secrets for public clients. */
const kindOf = (client: OidcPart) =>
  client.kind ?? (client.secrets?.length === 0 && !hasKeys(client) ? publicKindOf(client.redirectUris) : 'web');

const named = (name: string) => ({ name, nameKey: nameKey(name) });

/** Returns the FAQs of all organisations. */
function faqRows(orgs: readonly WorldOrganisation[], generator: ValueGenerator): TableRows[] {
  const categories: (typeof faqCategories.$inferInsert)[] = [];
  const subcategories: (typeof faqSubcategories.$inferInsert)[] = [];
  const records: (typeof faqRecords.$inferInsert)[] = [];
  const idOf = (path: string) => generator.id(path, generator.randomSeed === '' ? (name) => name : undefined);
  for (const { code: orgCode, faq } of orgs) {
    for (const [at, category] of faq.entries()) {
      const path = `faq-${orgCode}-${at}`;
      const categoryId = category.id ?? idOf(path);
      categories.push({ id: categoryId, orgCode, ...named(category.name), position: at });
      for (const [below, subcategory] of category.subcategories.entries()) {
        const subcategoryId = subcategory.id ?? idOf(`${path}-${below}`);
        subcategories.push({ id: subcategoryId, orgCode, categoryId, ...named(subcategory.name), position: below });
        for (const [position, { id, question, answer }] of subcategory.records.entries()) {
          records.push({
            id: id ?? idOf(`${path}-${below}-${position}`),
            orgCode,
            subcategoryId,
            question,
            answer,
            position,
          });
        }
      }
    }
  }
  return [
    tableRows(faqCategories, categories),
    tableRows(faqSubcategories, subcategories),
    tableRows(faqRecords, records),
  ];
}

/**
 * Returns all rows of a world in an order that satisfies foreign keys. The same world, base and source always yield
 * the same rows.
 * @param base reference for the world's relative times, in milliseconds
 */
export function worldRows(world: FullWorld, base: number, source: KeySource): TableRows[] {
  const generator = createValueGenerator(world, base, source);
  const find = personFinder(world, generator);
  const { organisations } = world;
  return [
    tableRows(worlds, [{ id: 1, randomSeed: world.randomSeed, keysFrom: source.origin }]),
    ...organisationRows(organisations, generator),
    ...groupRows(organisations, generator),
    ...applicationRows(organisations, find, generator),
    ...faqRows(organisations, generator),
    ...connectionRows(organisations, find, generator),
    ...peopleRows(organisations, find, generator),
    ...groupMemberRows(organisations, find, generator),
  ];
}
