import { type Permission, SYSTEM_ROLES, type WorldOrganisation } from '@orchestrate/shared';
import type { roles } from '../schema/index.ts';

type RoleRow = typeof roles.$inferInsert;
/** A demo organisation without its applications, FAQ and people. */
type DemoOrganisation = Omit<WorldOrganisation, 'applications' | 'faq' | 'people'>;

/** Organisation code of Acme, the first of the two demo organisations. */
export const ACME = 'acme';
export const GLOBEX = 'globex';

/** Returns an organisation's system roles. They must exist before its members. */
export function systemRoles(orgCode: string): RoleRow[] {
  return SYSTEM_ROLES.map(({ roleCode, name, type, permissions }) => ({
    orgCode,
    roleCode,
    name,
    type,
    permissions: [...permissions],
  }));
}

const OWN_DEVICES: Permission[] = ['REMOVE_DEVICE', 'PAUSE_DEVICE', 'REPORT_LOST_DEVICE'];

/** Settings shared by both demo organisations. */
const COMMON = {
  primaryEmailField: 'primaryEmail',
  registrationTokens: [],
  scimTokens: [],
  scimSchemas: [],
  groups: [],
  mailLanguage: 'en',
  mails: [],
  webhooks: [],
  apiResources: [],
} satisfies Partial<WorldOrganisation>;

/** Returns the demo's two organisations with their settings and roles. */
export function demoOrganisations(base: number): [acme: DemoOrganisation, globex: DemoOrganisation] {
  const year = new Date(base).getUTCFullYear();
  const security = {
    allowedIps: [],
    activationLinkDelayHours: 0,
    deviceLimit: 5,
    // Lets the demo show every result code of the specification.
    discloseUnknownUsers: true,
  };
  return [
    {
      ...COMMON,
      code: ACME,
      name: 'Acme Corporation',
      createdAt: '-1600d',
      primaryAttrField: 'employeeId',
      branding: {
        color: '#FACC15',
        title: 'Sign in to Acme',
        bannerText:
          'Your phone is the key.\nNo password to remember, nothing to steal. Approve with the device in your hand.',
        loginButtonName: 'Sign in',
        copyrightText: `© ${year} Acme Corporation`,
      },
      loginOptions: {
        sessionTimeout: 720,
        maxCookieLife: 480,
        didEnabled: true,
        webAuthnEnabled: false,
        mobileAppEnabled: true,
        desktopAppEnabled: true,
        forceAuthnEnabled: false,
        stepUpAuthEnabled: false,
        appLockEnabled: false,
        allowReporteeSearch: true,
        logoutTogether: false,
      },
      security: { ...security, allowedEmailDomains: ['acme.test', 'consulting.test'] },
      roles: [
        { code: 'AUDITOR', name: 'Auditor', permissions: [...OWN_DEVICES, 'SEARCH_USER'] },
        {
          code: 'ONBOARDING_TEAM',
          name: 'Onboarding Team',
          permissions: [...OWN_DEVICES, 'SEARCH_USER', 'BULK_INVITE', 'GENERATE_ACT_CODE', 'SEND_ACT_CODE_EMAIL'],
        },
      ],
    },
    {
      ...COMMON,
      code: GLOBEX,
      name: 'Globex',
      createdAt: '-700d',
      primaryAttrField: 'username',
      branding: {
        color: '#1E3A8A',
        title: 'Sign in to Globex',
        bannerText: 'Welcome to Globex.\nConfirm on your device that it’s you.',
        loginButtonName: 'Sign in',
        copyrightText: `© ${year} Globex`,
      },
      security: { ...security, allowedEmailDomains: [] },
      roles: [],
    },
  ];
}
