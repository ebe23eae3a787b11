import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, nameText, optionalDisplayText, orgCode, text, wholeNumber } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';

export const orgSettings = z.object({
  orgCode: z.string(),
  name: z.string(),
  /** Name of the organisation's primary attribute, e.g. `employeeId`. */
  primaryAttrField: z.string(),
  primaryEmailField: z.string(),
  /** The logo's URL, or null. */
  logo: z.string().nullable(),
  portalOidcEnabled: z.boolean(),
  oidcButtonLabel: z.string(),
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  /** True if members can use a phone as their device. */
  mobileAppEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  stepUpAuthEnabled: z.boolean(),
  appLockEnabled: z.boolean(),
  /** Brand colour as `#rrggbb`. */
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
  summary: "Get the settings that an organisation's sign-in page needs",
  access: { who: 'public' },
  versioned: 'branding',
  query: z.object({ code: orgCode }),
  reply: orgSettings,
  refuses: ['ORG_CODE_NOT_FOUND'],
});

const manage = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const area = 'Settings' as const;

/** Colour as `#rrggbb`, in upper or lower case. */
export const brandColor = text(7).regex(/^#[0-9A-Fa-f]{6}$/, 'Enter a colour as # followed by six hexadecimal digits');

export const brandingFields = z.object({
  name: nameText(100),
  color: brandColor,
  title: displayText(100),
  bannerText: optionalDisplayText(500, { isMultiline: true }).default(''),
  loginButtonName: displayText(40),
  copyrightText: optionalDisplayText(200).default(''),
  /** `true` to remove the logo. A `file` in the same call takes precedence. */
  removeLogo: z.enum(['true', 'false']).default('false'),
});

/** Size at which an upload is aborted, in bytes. The limit for the logo itself is `LIMITS.logoBytes`. */
export const LOGO_UPLOAD_BYTES = LIMITS.logoWarningBytes;

export const saveBranding = endpoint({
  method: 'POST',
  path: '/org/settings',
  area,
  access: manage,
  summary:
    'Brand the sign-in page, as multipart form: name, color, title, bannerText, loginButtonName, copyrightText, file',
  versioned: 'branding',
  current: orgSettings,
  multipart: brandingFields,
  file: { maxBytes: LOGO_UPLOAD_BYTES, example: 'logo.png', isOptional: true },
  /**
   * The saved settings. A refused logo doesn't prevent saving the rest; `image` and `imageMessage` report the
   * refusal.
   */
  reply: orgSettings.extend({
    image: z.enum(['kept', 'saved', 'removed', 'refused']),
    imageMessage: z.string(),
    /** Content removed from the logo, by its name in the file or format: `<script>`, `@import`, `EXIF`. */
    imageRemoved: z.array(z.string()),
  }),
  refuses: ['UPLOAD_BLOCKED_IN_DR'],
  events: ['branding.updated'],
});

export const checkLogo = endpoint({
  method: 'POST',
  path: '/org/settings/logo/check',
  area,
  access: manage,
  summary: 'Preview a file as a logo; nothing is saved',
  unversioned: 'reads',
  multipart: z.object({}),
  file: { maxBytes: LOGO_UPLOAD_BYTES, example: 'logo.png' },
  reply: z.object({
    /** The logo as the portal would serve it, as a data URI. */
    logo: z.string(),
    /** Content removed from the logo, by its name in the file or format: `<script>`, `@import`, `EXIF`. */
    removed: z.array(z.string()),
  }),
  events: [],
});

/** Whole minutes, at most ten years. */
export const minutes = wholeNumber(0, 5_256_000, 'At most ten years');

/** Session and login options, in the form used for both reading and writing. */
export const sessionFields = z.object({
  /** Minutes until a portal session ends. 0 = no limit. */
  sessionTimeout: minutes,
  /**
   * Minutes for which a browser is remembered. 0 = not remembered. Also limits the `maxCookieLife` of every application,
   * which is in seconds.
   */
  maxCookieLife: minutes,
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
  stepUpAuthEnabled: z.boolean(),
  appLockEnabled: z.boolean(),
  /** True if signing out of the portal or an application signs the user out everywhere in that browser. */
  logoutTogether: z.boolean(),
});
export type SessionSettings = z.output<typeof sessionFields>;

/** The same fields for writing. Absent fields that spec 2 §3 calls optional don't change. */
const sessionEdit = sessionFields.partial({ stepUpAuthEnabled: true, appLockEnabled: true, logoutTogether: true });
export type SessionEdit = z.output<typeof sessionEdit>;

export const getSessionSettings = endpoint({
  method: 'GET',
  path: '/org/session',
  area,
  access: manage,
  summary: 'Get the session and login options for the whole organisation',
  versioned: 'session-settings',
  reply: sessionFields,
});

export const configureSession = endpoint({
  method: 'POST',
  path: '/org/session/configure',
  area,
  access: manage,
  summary: 'Set the session and login options for the whole organisation; they apply immediately',
  versioned: 'session-settings',
  current: sessionFields,
  body: sessionEdit,
  reply: sessionFields,
  events: ['session-settings.updated'],
});

/** Organisation-wide rules that override applications' and members' own permissions. */
export const orgLoginOptions = sessionFields
  .pick({
    maxCookieLife: true,
    didEnabled: true,
    webAuthnEnabled: true,
    desktopAppEnabled: true,
    forceAuthnEnabled: true,
  })
  .extend({ mobileAppEnabled: z.boolean() });
export type OrgLoginOptions = z.output<typeof orgLoginOptions>;

export const getOrgLoginOptions = endpoint({
  method: 'GET',
  path: '/org/login-options',
  area,
  access: { who: 'signed-in' },
  summary: 'Get the login options that apply to all applications and members of your organisation',
  reply: orgLoginOptions,
});

/** The portal application's login options, in seconds, as for every application. */
export const orgApp = z.object({
  appId: z.string(),
  name: z.string(),
  description: z.string(),
  /** How long a browser is remembered, in seconds. The organisation's `maxCookieLife`, in minutes, limits it. */
  maxCookieLife: z.number().int(),
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
});
export type OrgApp = z.output<typeof orgApp>;

const ownOrg = orgCode.optional();

export const getOrgApp = endpoint({
  method: 'GET',
  path: '/org/app',
  area,
  access: manage,
  summary: "Get the portal application's login options",
  versioned: 'portal-app',
  query: z.object({ orgCode: ownOrg, appId: id.optional() }),
  reply: z.object({ orgApp }),
  refuses: ['MULTIPLE_APPS', 'ORG_APP_MISSING'],
});

export const saveOrgApp = endpoint({
  method: 'POST',
  path: '/org/app',
  area,
  access: manage,
  summary: "Set the portal application's login options",
  versioned: 'portal-app',
  current: orgApp,
  body: z.object({
    orgCode: ownOrg,
    appId: id.optional(),
    /** How long a browser is remembered, in seconds. The organisation's `maxCookieLife`, in minutes, limits it. */
    maxCookieLife: wholeNumber(0, 315_360_000, 'At most ten years'),
    didEnabled: z.boolean(),
    webAuthnEnabled: z.boolean(),
    desktopAppEnabled: z.boolean(),
    forceAuthnEnabled: z.boolean(),
  }),
  reply: z.object({ orgApp }),
  refuses: ['MULTIPLE_APPS', 'ORG_APP_MISSING'],
  events: ['portal-app.updated'],
});

/** An IP address or CIDR range. Validated by the server. */
const ipRange = text(50);
const domain = text(253)
  .toLowerCase()
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'Enter a domain');

/** Addresses that sign-ins are allowed from, and the requirements for signing up. */
export const securityFields = z.object({
  /** Addresses that people can sign in and sign up from. Empty allows any address. */
  allowedIps: z.array(ipRange).max(200, 'At most 200 ranges'),
  activationLinkDelayHours: wholeNumber(0, 24, 'At most 24 hours'),
  deviceLimit: wholeNumber(1, 50, 'At most 50 devices'),
  /** Domains of email addresses that can sign up. Empty allows any domain. */
  allowedEmailDomains: z.array(domain).max(200, 'At most 200 domains'),
  /** True to tell visitors whether a user is unknown or already exists. */
  discloseUnknownUsers: z.boolean(),
});
export type SecuritySettings = z.output<typeof securityFields>;

export const getSecurity = endpoint({
  method: 'GET',
  path: '/org/security',
  area,
  access: manage,
  summary: 'Get the addresses that sign-ins are allowed from and the requirements for signing up',
  versioned: 'security',
  /** `ownIp`: the address that this call came from. */
  reply: securityFields.extend({ ownIp: z.string() }),
});

export const saveSecurity = endpoint({
  method: 'POST',
  path: '/org/security',
  area,
  access: manage,
  summary:
    'Set the allowed addresses and the requirements for signing up; addresses that would lock you out are refused',
  versioned: 'security',
  current: securityFields,
  /** If absent, the disclosure setting doesn't change. */
  body: securityFields.extend({ discloseUnknownUsers: z.boolean().optional() }),
  reply: securityFields.extend({ ownIp: z.string() }),
  refuses: ['IP_NOT_VALID'],
  events: ['security.updated'],
});

export const health = endpoint({
  method: 'GET',
  path: '/health',
  area: 'Service',
  summary: 'Check whether the portal and its database respond',
  access: { who: 'public' },
  reply: z.object({ status: z.literal('ok') }),
});
