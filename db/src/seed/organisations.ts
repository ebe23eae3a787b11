import { DAY, type Permission, SYSTEM_ROLES } from '@orchestrate/shared';
import type { organisations, roles } from '../schema/index.ts';

type OrganisationRow = typeof organisations.$inferInsert;
type RoleRow = typeof roles.$inferInsert;

/** The codes of the demo's organisations. */
export const ACME = 'acme';
export const GLOBEX = 'globex';

/** The two organisations of the demo. */
export function demoOrganisations(base: number): OrganisationRow[] {
  const year = new Date(base).getUTCFullYear();
  return [
    {
      orgCode: ACME,
      number: 1,
      name: 'Acme Corporation',
      primaryAttrField: 'employeeId',
      color: '#FACC15',
      title: 'Sign in to Acme',
      bannerText:
        'Your phone is the key.\nNo password to remember, nothing to steal. Approve with the device in your hand.',
      copyrightText: `© ${year} Acme Corporation`,
      portalOidcEnabled: true,
      oidcButtonLabel: 'Continue with Globex SSO',
      maxCookieLife: 480,
      allowedEmailDomains: ['acme.test', 'consulting.test'],
      // So that the demo can show every result code of the specification.
      discloseUnknownUsers: true,
      createdAt: base - 1_600 * DAY,
    },
    {
      orgCode: GLOBEX,
      number: 2,
      name: 'Globex',
      primaryAttrField: 'username',
      color: '#1E3A8A',
      title: 'Sign in to Globex',
      bannerText: 'Welcome to Globex.\nConfirm on your device that it is you.',
      copyrightText: `© ${year} Globex`,
      discloseUnknownUsers: true,
      createdAt: base - 700 * DAY,
    },
  ];
}

const OWN_DEVICES: Permission[] = ['REMOVE_DEVICE', 'PAUSE_DEVICE', 'REPORT_LOST_DEVICE'];

/** The system roles of an organisation, without which it cannot have people. */
export function systemRoles(orgCode: string): RoleRow[] {
  return SYSTEM_ROLES.map(({ roleCode, name, type, permissions }) => ({
    orgCode,
    roleCode,
    name,
    type,
    permissions: [...permissions],
  }));
}

/** The roles of both organisations, and acme's own. */
export function demoRoles(): RoleRow[] {
  return [
    ...systemRoles(ACME),
    {
      orgCode: ACME,
      roleCode: 'AUDITOR',
      name: 'Auditor',
      type: 'custom',
      permissions: [...OWN_DEVICES, 'SEARCH_USER'],
    },
    {
      orgCode: ACME,
      roleCode: 'ONBOARDING_TEAM',
      name: 'Onboarding Team',
      type: 'custom',
      permissions: [...OWN_DEVICES, 'SEARCH_USER', 'BULK_INVITE', 'GENERATE_ACT_CODE', 'SEND_ACT_CODE_EMAIL'],
    },
    ...systemRoles(GLOBEX),
  ];
}
