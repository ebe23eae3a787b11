import { mailName, type World } from '@orchestrate/shared';
import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { groupMembers, groups, logos, mailTexts, members, type organisations, roles } from '../../schema/index.ts';
import { groupedBy, isoTime, omitEmpty, optional } from './omit-defaults.ts';
import { isSystemRole } from './organisation-rows.ts';

type Written = NonNullable<World['organisations']>[number];
type OrganisationRow = typeof organisations.$inferSelect;

/** Returns a world's name for a person, by organisation and id, or undefined if the id is null or unknown. */
export type NameOf = (orgCode: string, suid: string | null) => string | undefined;

/** Exports the settings in an organisation's own row, and its logo. */
export function exportedSettings(tx: Tx): (row: OrganisationRow) => Written {
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

/** Exports the roles of all organisations, by code; of system roles, only the data from a directory. */
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
      externalId: optional(externalId),
      createdAt: isoTime(createdAt),
      changedAt: isoTime(changedAt),
    }),
  );
}

/** Exports the groups by organisation, in the order of their names. */
export function exportedGroups(tx: Tx, nameOf: NameOf): Map<string, NonNullable<Written['groups']>> {
  const keyOf = ({ orgCode, groupId }: { orgCode: string; groupId: string }) => `${orgCode} ${groupId}`;
  const present = groupedBy(
    tx
      .select({ orgCode: groupMembers.orgCode, groupId: groupMembers.groupId, suid: groupMembers.suid })
      .from(groupMembers)
      .innerJoin(members, eq(members.suid, groupMembers.suid))
      .orderBy(members.id)
      .all(),
    keyOf,
    ({ orgCode, suid }) => nameOf(orgCode, suid) ?? suid,
  );
  return groupedBy(
    tx.select().from(groups).orderBy(groups.orgCode, groups.nameKey).all(),
    ({ orgCode }) => orgCode,
    (row) => ({
      id: row.groupId,
      name: row.displayName,
      externalId: optional(row.externalId),
      members: omitEmpty(present.get(keyOf(row))),
      createdAt: isoTime(row.createdAt),
      changedAt: isoTime(row.changedAt),
    }),
  );
}

/** Exports the email texts that organisations have changed, by organisation. */
export function exportedMails(tx: Tx): Map<string, NonNullable<Written['mails']>> {
  return groupedBy(
    tx.select().from(mailTexts).orderBy(sql`rowid`).all(),
    ({ orgCode }) => orgCode,
    ({ template, language, subject, body }) => ({ name: mailName.parse(template), language, subject, body }),
  );
}
