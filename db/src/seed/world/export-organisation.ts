import { mailName, type World } from '@orchestrate/shared';
import { desc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import {
  apiResources,
  groupMembers,
  groups,
  logos,
  mailTexts,
  members,
  oidcKeys,
  type organisations,
  portalOidc,
  registrationTokens,
  roles,
  samlKeys,
  scimCredentials,
  scimSchemas,
  scimTokens,
  webhooks,
} from '../../schema/index.ts';
import { openIn } from '../../sealed-columns.ts';
import { isSystemRole } from './organisation-rows.ts';
import { groupedBy, listed, moment, some } from './written.ts';

type Written = NonNullable<World['organisations']>[number];
type OrganisationRow = typeof organisations.$inferSelect;

/** How a world names a person, by organisation and id; nothing where nobody is meant. */
export type NameOf = (orgCode: string, suid: string | null) => string | undefined;

/** The settings of an organisation's own row, and its logo. */
export function exportedSettings(tx: Tx): (row: OrganisationRow) => Written {
  const kept = new Map(
    tx
      .select()
      .from(logos)
      .all()
      .map((logo) => [logo.orgCode, logo]),
  );
  return (row) => {
    const logo = kept.get(row.orgCode);
    return {
      code: row.orgCode,
      name: row.name,
      createdAt: moment(row.createdAt),
      primaryAttrField: row.primaryAttrField,
      primaryEmailField: row.primaryEmailField,
      branding: {
        color: row.color,
        title: row.title,
        bannerText: row.bannerText,
        loginButtonName: row.loginButtonName,
        copyrightText: row.copyrightText,
        logo: logo && { contentType: logo.contentType, bytes: logo.bytes.toString('base64') },
      },
      loginOptions: {
        sessionTimeout: row.sessionTimeout,
        maxCookieLife: row.maxCookieLife,
        didEnabled: row.didEnabled,
        webAuthnEnabled: row.webAuthnEnabled,
        mobileAppEnabled: row.mobileAppEnabled,
        desktopAppEnabled: row.desktopAppEnabled,
        forceAuthnEnabled: row.forceAuthnEnabled,
        stepUpAuthEnabled: row.stepUpAuthEnabled,
        appLockEnabled: row.appLockEnabled,
        allowReporteeSearch: row.allowReporteeSearch,
        logoutTogether: row.logoutTogether,
      },
      security: {
        allowedIps: row.allowedIps,
        allowedEmailDomains: row.allowedEmailDomains,
        activationLinkDelayHours: row.activationLinkDelayHours,
        deviceLimit: row.deviceLimit,
        discloseUnknownUsers: row.discloseUnknownUsers,
      },
      mailLanguage: row.mailLanguage,
    };
  };
}

/** The roles of all organisations, by code; of the system's own only what a directory has given them. */
export function exportedRoles(tx: Tx): Map<string, NonNullable<Written['roles']>> {
  const rows = tx.select().from(roles).orderBy(sql`rowid`).all();
  return groupedBy(
    rows.filter(
      ({ roleCode, externalId, createdAt, changedAt }) =>
        !isSystemRole(roleCode) || externalId !== null || createdAt !== null || changedAt !== null,
    ),
    ({ orgCode }) => orgCode,
    ({ roleCode: code, name, permissions, externalId, createdAt, changedAt }) => ({
      code,
      ...(!isSystemRole(code) && { name, permissions }),
      externalId: some(externalId),
      createdAt: moment(createdAt),
      changedAt: moment(changedAt),
    }),
  );
}

/** The groups beside the roles, by organisation, in the order of their names. */
export function exportedGroups(tx: Tx, nameOf: NameOf): Map<string, NonNullable<Written['groups']>> {
  const place = ({ orgCode, groupId }: { orgCode: string; groupId: string }) => `${orgCode} ${groupId}`;
  const present = groupedBy(
    tx
      .select({ orgCode: groupMembers.orgCode, groupId: groupMembers.groupId, suid: groupMembers.suid })
      .from(groupMembers)
      .innerJoin(members, eq(members.suid, groupMembers.suid))
      .orderBy(members.id)
      .all(),
    place,
    ({ orgCode, suid }) => nameOf(orgCode, suid) ?? suid,
  );
  return groupedBy(
    tx.select().from(groups).orderBy(groups.orgCode, groups.nameKey).all(),
    ({ orgCode }) => orgCode,
    (row) => ({
      id: row.groupId,
      name: row.displayName,
      externalId: some(row.externalId),
      members: listed(present.get(place(row))),
      createdAt: moment(row.createdAt),
      changedAt: moment(row.changedAt),
    }),
  );
}

/** Mails whose wording an organisation has changed, each with its language, by organisation. */
export function exportedMails(tx: Tx): Map<string, NonNullable<Written['mails']>> {
  return groupedBy(
    tx.select().from(mailTexts).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ template, language, subject, body }) => ({ name: mailName.parse(template), language, subject, body }),
  );
}

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

/** What connects an organisation with other programs: its external provider, directory, webhooks, APIs and keys. */
export function exportedConnections(tx: Tx, nameOf: NameOf): (row: OrganisationRow) => Connections {
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
  const tokens = groupedBy(
    tx.select().from(scimTokens).orderBy(desc(scimTokens.createdAt), desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ id, orgCode, name, hash, createdAt, madeBySuid, ceiling, lastUsedAt, expiresAt }) => ({
      id,
      name,
      hash,
      createdAt: moment(createdAt),
      lastUsedAt: moment(lastUsedAt),
      expiresAt: moment(expiresAt),
      madeBy: nameOf(orgCode, madeBySuid),
      ceiling,
    }),
  );
  const schemas = groupedBy(
    tx.select().from(scimSchemas).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ id, urn, name, description, attributes, createdAt }) => ({
      id,
      urn,
      name,
      description,
      attributes,
      createdAt: moment(createdAt),
    }),
  );
  const registering = groupedBy(
    tx.select().from(registrationTokens).orderBy(desc(registrationTokens.createdAt), desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ id, orgCode, name, hash, createdAt, expiresAt, madeBySuid, lastUsedAt }) => ({
      id,
      name,
      hash,
      createdAt: moment(createdAt),
      expiresAt: moment(expiresAt),
      lastUsedAt: moment(lastUsedAt),
      madeBy: nameOf(orgCode, madeBySuid) ?? '',
    }),
  );
  const hooks = groupedBy(
    tx.select().from(webhooks).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ orgCode: _orgCode, ...hook }) => ({
      id: hook.id,
      url: hook.url,
      description: hook.description,
      enabled: hook.enabled,
      events: hook.events,
      secret: openIn(tx, 'webhooks.secret', hook.id, hook.secret),
      oldSecret: hook.oldSecret === null ? undefined : openIn(tx, 'webhooks.oldSecret', hook.id, hook.oldSecret),
      oldSecretUntil: moment(hook.oldSecretUntil),
      createdAt: moment(hook.createdAt),
      failingSince: moment(hook.failingSince),
      disabledAt: moment(hook.disabledAt),
    }),
  );
  const apis = groupedBy(
    tx.select().from(apiResources).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ id, identifier, name, scopes, createdAt }) => ({
      id,
      identifier,
      name,
      scopes,
      createdAt: moment(createdAt),
    }),
  );
  const oidc = groupedBy(
    tx.select().from(oidcKeys).orderBy(desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ kid, alg, privateJwk, createdAt }) => ({
      id: kid,
      alg,
      privateJwk: JSON.parse(openIn(tx, 'oidc_keys.privateJwk', kid, privateJwk)),
      createdAt: moment(createdAt),
    }),
  );
  const saml = groupedBy(
    tx.select().from(samlKeys).orderBy(desc(sql`rowid`)).all(),
    ({ orgCode }) => orgCode,
    ({ kid, privateKey, certificate, createdAt, expiresAt }) => ({
      id: kid,
      privateKey: openIn(tx, 'saml_keys.privateKey', kid, privateKey),
      certificate,
      createdAt: moment(createdAt),
      expiresAt: moment(expiresAt),
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
        clientSecret: openIn(tx, 'portal_oidc.clientSecret', orgCode, provider.clientSecret),
        configuredBy: nameOf(orgCode, provider.configuredBy),
      },
      provisioning: directory && {
        username: directory.username,
        password: openIn(tx, 'scim_credentials.password', orgCode, directory.password),
        createdAt: moment(directory.createdAt),
        madeBy: nameOf(orgCode, directory.madeBySuid),
        ceiling: directory.ceiling,
      },
      registrationTokens: listed(registering.get(orgCode)),
      scimSchemas: listed(schemas.get(orgCode)),
      scimTokens: listed(tokens.get(orgCode)),
      webhooks: listed(hooks.get(orgCode)),
      apiResources: listed(apis.get(orgCode)),
      keys:
        oidc.has(orgCode) || saml.has(orgCode)
          ? { oidc: listed(oidc.get(orgCode)), saml: listed(saml.get(orgCode)) }
          : undefined,
    };
  };
}
