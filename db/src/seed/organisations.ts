import { type Permission, SYSTEM_ROLES, type World } from '@orchestrate/shared';
import type { roles } from '../schema/index.ts';

type RoleRow = typeof roles.$inferInsert;
type WrittenOrganisation = NonNullable<World['organisations']>[number];

/** The codes of the demo's organisations. */
export const ACME = 'acme';
export const GLOBEX = 'globex';

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

const OWN_DEVICES: Permission[] = ['REMOVE_DEVICE', 'PAUSE_DEVICE', 'REPORT_LOST_DEVICE'];

/** The two organisations of the demo with their settings and roles. */
export function demoOrganisations(base: number): [acme: WrittenOrganisation, globex: WrittenOrganisation] {
  const year = new Date(base).getUTCFullYear();
  // So that the demo can show every result code of the specification.
  const discloseUnknownUsers = true;
  return [
    {
      code: ACME,
      name: 'Acme Corporation',
      createdAt: '-1600d',
      primaryAttrField: 'employeeId',
      branding: {
        color: '#FACC15',
        title: 'Sign in to Acme',
        bannerText:
          'Your phone is the key.\nNo password to remember, nothing to steal. Approve with the device in your hand.',
        copyrightText: `© ${year} Acme Corporation`,
      },
      loginOptions: { maxCookieLife: 480 },
      security: { allowedEmailDomains: ['acme.test', 'consulting.test'], discloseUnknownUsers },
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
      code: GLOBEX,
      name: 'Globex',
      createdAt: '-700d',
      primaryAttrField: 'username',
      branding: {
        color: '#1E3A8A',
        title: 'Sign in to Globex',
        bannerText: 'Welcome to Globex.\nConfirm on your device that it is you.',
        copyrightText: `© ${year} Globex`,
      },
      security: { discloseUnknownUsers },
    },
  ];
}
