import type { organisationRepo } from '@orchestrate/db';
import type { OrgSettings } from '@orchestrate/shared';
import type { LoginPolicy } from './login-policy.ts';

/** Picks the editable branding fields from an organisation. */
export function brandingOf(row: organisationRepo.OrganisationRow) {
  const { name, color, title, bannerText, loginButtonName, copyrightText, logo } = row;
  return { name, color, title, bannerText, loginButtonName, copyrightText, logo };
}

/**
 * Returns the settings that an organisation's sign-in page needs. They include only sign-in methods that the portal
 * application allows.
 */
export function orgSettingsOf(row: organisationRepo.OrganisationRow, policy: LoginPolicy): OrgSettings {
  return {
    orgCode: row.orgCode,
    name: row.name,
    primaryAttrField: row.primaryAttrField,
    primaryEmailField: row.primaryEmailField,
    logo: row.logo,
    portalOidcEnabled: row.portalOidcEnabled,
    oidcButtonLabel: row.oidcButtonLabel,
    didEnabled: policy.didEnabled,
    webAuthnEnabled: policy.webAuthnEnabled,
    mobileAppEnabled: row.mobileAppEnabled,
    desktopAppEnabled: policy.desktopAppEnabled,
    stepUpAuthEnabled: row.stepUpAuthEnabled,
    appLockEnabled: row.appLockEnabled,
    color: row.color,
    title: row.title,
    bannerText: row.bannerText,
    loginButtonName: row.loginButtonName,
    copyrightText: row.copyrightText,
  };
}
