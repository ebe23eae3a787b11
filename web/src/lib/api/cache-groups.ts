import {
  countUsers,
  type EndpointDefinition,
  getApp,
  getFaq,
  getIdpConfiguration,
  getLoginHistory,
  getOidcConfiguration,
  getOrgApp,
  getOrgLoginOptions,
  getOrgSettings,
  getProfile,
  getPublicFaq,
  getRole,
  getScimCredentials,
  getSecurity,
  getSessionSettings,
  getSummary,
  getUser,
  listActivity,
  listAppActivity,
  listApps,
  listBrowsers,
  listExternalIdentities,
  listInvitations,
  listMailTexts,
  listMemberActivity,
  listOwnApps,
  listRefusedRedirects,
  listReportees,
  listRoleActivity,
  listRoles,
  listSessions,
  listWebhookDeliveries,
  listWebhooks,
  previewApp,
  readWebhook,
  searchUsers,
} from '@orchestrate/shared';

/**
 * Groups of cached responses that are invalidated together after a change. Groups about members have the spec's names
 * (spec 1 §7).
 */
export const cacheGroups = {
  'Device Listing': [getUser],
  // Includes the list of roles, because each role has a member count.
  'Member Profile': [
    getUser,
    getProfile,
    searchUsers,
    countUsers,
    listReportees,
    getSummary,
    listRoles,
    listInvitations,
  ],
  'Member Login History': [getLoginHistory],
  'Application List': [listApps],
  'Webhook List': [listWebhooks],
  Applications: [listApps, listOwnApps, getApp, getOrgApp, previewApp, getIdpConfiguration, listRefusedRedirects],
  'Org Settings': [getOrgSettings, getOrgLoginOptions, getSessionSettings],
  'Portal OIDC': [getOidcConfiguration],
  Security: [getSecurity],
  Provisioning: [getScimCredentials],
  'Linked Accounts': [listExternalIdentities],
  Roles: [listRoles, getRole],
  FAQ: [getFaq, getPublicFaq],
  'Remembered Browsers': [listBrowsers],
  Activity: [listActivity, listMemberActivity, listRoleActivity, listAppActivity],
  Webhooks: [listWebhooks, readWebhook, listWebhookDeliveries],
  'Sign-ins': [listSessions],
  Mails: [listMailTexts],
} as const satisfies Record<string, readonly EndpointDefinition[]>;

export type CacheGroup = keyof typeof cacheGroups;

/** Returns true if a cached response is in at least one of the groups. */
export function isInGroups(key: unknown, groups: readonly CacheGroup[]): boolean {
  if (!Array.isArray(key)) return false;
  return groups.some((group) => cacheGroups[group].some((entry) => `${entry.method} ${entry.path}` === key[0]));
}
