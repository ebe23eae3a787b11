import type { organisationRepo } from '@orchestrate/db';
import type { OrgSettings } from '@orchestrate/shared';

/** What the sign-in page of an organisation needs. */
export function orgSettingsOf(row: organisationRepo.OrganisationRow): OrgSettings {
  return {
    orgCode: row.orgCode,
    name: row.name,
    primaryAttrField: row.primaryAttrField,
    primaryEmailField: row.primaryEmailField,
    logo: row.logo,
    portalOidcEnabled: row.portalOidcEnabled,
    oidcButtonLabel: row.oidcButtonLabel,
    didEnabled: row.didEnabled,
    webAuthnEnabled: row.webAuthnEnabled,
    desktopAppEnabled: row.desktopAppEnabled,
    stepUpAuthEnabled: row.stepUpAuthEnabled,
    appLockEnabled: row.appLockEnabled,
    color: row.color,
    title: row.title,
    bannerText: row.bannerText,
    loginButtonName: row.loginButtonName,
    copyrightText: row.copyrightText,
  };
}
