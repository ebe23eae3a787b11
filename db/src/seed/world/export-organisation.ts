import { mailName, type World } from '@orchestrate/shared';
import { eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { groupMembers, groups, logos, mailTexts, members, type organisations, roles } from '../../schema/index.ts';
import { groupRowsBy, isoTime, omitEmpty, omitMissing } from './omit-defaults.ts';
import { isSystemRole } from './organisation-rows.ts';

type Written = NonNullable<World['organisations']>[number];
type OrganisationRow = typeof organisations.$inferSelect;

/** Returns the reference that a world uses for a person, or undefined if the ID is null or unknown. */
export type PersonReference = (orgCode: string, suid: string | null) => string | undefined;

/** Exports an organisation's logo and the settings in its row. */
export function settingsExporter(tx: Tx): (row: OrganisationRow) => Written {
  const logosByOrg = new Map(
    tx
      .select()
      .from(logos)
      .all()
      .map((logo) => [logo.orgCode, logo]),
  );
  return (row) => {
    const logo = logosByOrg.get(row.orgCode);
    return {
      code: row.orgCode,
      name: row.name,
      createdAt: isoTime(row.createdAt),
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

/** Exports the roles of all organisations, by organisation code. For system roles, exports only directory data. */
export function exportRoles(tx: Tx): Map<string, NonNullable<Written['roles']>> {
  const rows = tx.select().from(roles).orderBy(sql`rowid`).all();
  return groupRowsBy(
    rows.filter(
      ({ roleCode, externalId, createdAt, changedAt }) =>
        !isSystemRole(roleCode) || externalId !== null || createdAt !== null || changedAt !== null,
    ),
    ({ orgCode }) => orgCode,
    ({ roleCode: code, name, permissions, externalId, createdAt, changedAt }) => ({
      code,
      ...(!isSystemRole(code) && { name, permissions }),
      externalId: omitMissing(externalId),
      createdAt: isoTime(createdAt),
      changedAt: isoTime(changedAt),
    }),
  );
}

/** Exports groups by organisation, sorted by name. */
export function exportGroups(tx: Tx, nameOf: PersonReference): Map<string, NonNullable<Written['groups']>> {
  const keyOf = ({ orgCode, groupId }: { orgCode: string; groupId: string }) => `${orgCode} ${groupId}`;
  const present = groupRowsBy(
    tx
      .select({ orgCode: groupMembers.orgCode, groupId: groupMembers.groupId, suid: groupMembers.suid })
      .from(groupMembers)
      .innerJoin(members, eq(members.suid, groupMembers.suid))
      .orderBy(members.id)
      .all(),
    keyOf,
    ({ orgCode, suid }) => nameOf(orgCode, suid) ?? suid,
  );
  return groupRowsBy(
    tx.select().from(groups).orderBy(groups.orgCode, groups.nameKey).all(),
    ({ orgCode }) => orgCode,
    (row) => ({
      id: row.groupId,
      name: row.displayName,
      externalId: omitMissing(row.externalId),
      members: omitEmpty(present.get(keyOf(row))),
      createdAt: isoTime(row.createdAt),
      changedAt: isoTime(row.changedAt),
    }),
  );
}

/** Exports customised emails, by organisation. */
export function exportEmails(tx: Tx): Map<string, NonNullable<Written['mails']>> {
  return groupRowsBy(
    tx.select().from(mailTexts).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ template, language, subject, body }) => ({ name: mailName.parse(template), language, subject, body }),
  );
}
