import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { orgCode } from '../fields.ts';

export const orgSettings = z.object({
  orgCode: z.string(),
  name: z.string(),
  /** The organisation's own primary attribute, e.g. `employeeId`. */
  primaryAttrField: z.string(),
  primaryEmailField: z.string(),
  /** Address of the logo, null where there is none. */
  logo: z.string().nullable(),
  portalOidcEnabled: z.boolean(),
  oidcButtonLabel: z.string(),
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  stepUpAuthEnabled: z.boolean(),
  appLockEnabled: z.boolean(),
  /** Brand colour, `#rrggbb`. */
  color: z.string(),
  title: z.string(),
  bannerText: z.string(),
  loginButtonName: z.string(),
  copyrightText: z.string(),
});
export type OrgSettings = z.output<typeof orgSettings>;

export const getOrgSettings = endpoint({
  method: 'GET',
  path: '/org/settings',
  area: 'Settings',
  summary: 'What the sign-in page of an organisation needs',
  access: { who: 'public' },
  query: z.object({ code: orgCode }),
  reply: orgSettings,
  refuses: ['ORG_CODE_NOT_FOUND'],
});
