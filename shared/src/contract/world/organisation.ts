import { z } from 'zod';
import { id, nameText, newOrgCode, optionalText, text } from '../../fields.ts';
import { DEFAULT_BRAND, LIMITS } from '../../limits.ts';
import { API_RESOURCES_MAX } from '../applications/api-resources.ts';
import { LANGUAGES, language, permission } from '../models.ts';
import { MAILS, mailName, mailWords } from '../settings/mails.ts';
import { brandColor, minutes, securityFields } from '../settings/settings.ts';
import { worldApplication } from './application.ts';
import {
  keys,
  provider,
  provisioning,
  registrationToken,
  scimSchema,
  scimToken,
  webhook,
  worldApiResource,
} from './connections.ts';
import { moment, worldLogo } from './fields.ts';
import { worldPerson } from './person.ts';

const branding = z.lazy(() =>
  z.strictObject({
    /** Brand colour as `#rrggbb`. */
    color: brandColor.default(DEFAULT_BRAND),
    /** Heading of the sign-in page. Default: `Sign in to` and the organisation's name. */
    title: optionalText(100).optional(),
    /** Notice on the sign-in page. Empty for no notice. */
    bannerText: optionalText(500).default(''),
    /** Label of the sign-in button. */
    loginButtonName: optionalText(40).default('Sign in'),
    /** Copyright notice on the sign-in page. */
    copyrightText: optionalText(200).default(''),
    /** The organisation's logo. Default: no logo. */
    logo: worldLogo.nullable().optional(),
  }),
);

const loginOptions = z.lazy(() =>
  z.strictObject({
    /** Minutes until a portal session ends. 0 = no limit. */
    sessionTimeout: minutes.default(720),
    /**
     * Minutes for which a browser is remembered. 0 = not remembered. Also limits the `maxCookieLife` of every
     * application, which is in seconds.
     */
    maxCookieLife: minutes.default(0),
    /** True if members can type an eight-character code into their authenticator instead of scanning a QR code. */
    didEnabled: z.boolean().default(true),
    /** True if members can sign in with passkeys and security keys. */
    webAuthnEnabled: z.boolean().default(false),
    /** True if members can use a phone as their device. */
    mobileAppEnabled: z.boolean().default(true),
    /** True if members can use a computer as their device. */
    desktopAppEnabled: z.boolean().default(true),
    /** True if members must approve every sign-in on a device, and no browser is remembered. */
    forceAuthnEnabled: z.boolean().default(false),
    /** True if members also choose the number that the browser displays to approve a sign-in. */
    stepUpAuthEnabled: z.boolean().default(false),
    /** True if the authenticator asks for its PIN before it approves a sign-in. */
    appLockEnabled: z.boolean().default(false),
    /** True if managers can search their direct reports. */
    allowReporteeSearch: z.boolean().default(true),
    /** True if signing out of the portal or an application signs the user out everywhere in that browser. */
    logoutTogether: z.boolean().default(false),
  }),
);

const security = z.lazy(() =>
  z.strictObject({
    /** IP addresses and CIDR ranges that sign-ins are allowed from. Empty allows all addresses. */
    allowedIps: securityFields.shape.allowedIps.default([]),
    /** Email domains that new members can have. Empty allows all domains. */
    allowedEmailDomains: securityFields.shape.allowedEmailDomains.default([]),
    /** Delay before an invitation link works, in hours. */
    activationLinkDelayHours: securityFields.shape.activationLinkDelayHours.default(0),
    /** Maximum number of devices per member. */
    deviceLimit: securityFields.shape.deviceLimit.default(5),
    /** True if sign-in pages report that an account doesn't exist. */
    discloseUnknownUsers: z.boolean().default(false),
  }),
);

const role = z.lazy(() =>
  z.strictObject({
    /** Code of the role, e.g. `AUDITOR`, unique in the organisation. */
    code: text(60).regex(
      /^[A-Z0-9_-]+$/,
      'Role codes can only contain capital letters, digits, hyphens and underscores',
    ),
    /** Display name. Default: the code. */
    name: text(60).optional(),
    /** Permissions of the role's members. */
    permissions: z.array(permission).max(100).default([]),
    /** ID of the role in a directory (SCIM `externalId`). */
    externalId: text(1_000).optional(),
    /** Time at which the role was created. Default: when the organisation was created. */
    createdAt: moment.optional(),
    /** Time of the last change to the role or its members. */
    changedAt: moment.optional(),
  }),
);

/** A group. Groups are separate from roles. */
const group = z.lazy(() =>
  z.strictObject({
    /** Group ID. By default derived from the organisation and the name. */
    id: id.optional(),
    /** Name, unique among groups and roles, ignoring case. */
    name: nameText(LIMITS.groupNameMaxLength),
    /** ID of the group in a directory (SCIM `externalId`). */
    externalId: text(255).optional(),
    /** Emails or IDs of members of the same organisation. */
    members: z.array(text(254)).max(100_000).default([]),
    /** Time at which the group was created. Default: the world's start. */
    createdAt: moment.optional(),
    /** Time of the last change to the group or its members. Default: when the group was created. */
    changedAt: moment.optional(),
  }),
);

const faqRecord = z.lazy(() =>
  z.strictObject({
    /** ID of the record. Generated by default. */
    id: id.optional(),
    /** The question. */
    question: text(500),
    /** The answer, as HTML. */
    answer: z.string().trim().max(10_000),
  }),
);
const faqSubcategory = z.lazy(() =>
  z.strictObject({
    /** ID of the subcategory. Generated by default. */
    id: id.optional(),
    /** Heading of the subcategory. */
    name: text(100),
    /** Questions in display order. */
    records: z.array(faqRecord).max(200).default([]),
  }),
);
const faqCategory = z.lazy(() =>
  z.strictObject({
    /** ID of the category. Generated by default. */
    id: id.optional(),
    /** Heading of the category. */
    name: text(100),
    /** Subcategories in display order. */
    subcategories: z.array(faqSubcategory).max(50).default([]),
  }),
);

export const worldOrganisation = z.lazy(() =>
  z.strictObject({
    /** Code of the organisation in URLs, e.g. `acme`. */
    code: newOrgCode,
    /** Display name. By default derived from the code. */
    name: text(100).optional(),
    /** Time at which the organisation was created. Default: the world's start. */
    createdAt: moment.optional(),
    /** Name of the organisation's primary attribute, e.g. `employeeId`. */
    primaryAttrField: text(100).default('employeeId'),
    /** Name of the attribute that contains the member's email. */
    primaryEmailField: text(100).default('primaryEmail'),
    /** Appearance of the sign-in page. */
    branding: branding.optional(),
    /** Rules for sign-ins to the portal and all applications. */
    loginOptions: loginOptions.optional(),
    /** Addresses that sign-ins are allowed from, and rules for new members and devices. */
    security: security.optional(),
    /** External OpenID provider that members can use to sign in. Default: none. */
    provider: provider.optional(),
    /** A directory's user name and password for SCIM. Default: none. */
    provisioning: provisioning.optional(),
    /** Tokens that applications use to register themselves. */
    registrationTokens: z.array(registrationToken).max(LIMITS.registrationTokens).default([]),
    /** Bearer tokens that directories use for SCIM. */
    scimTokens: z.array(scimToken).max(LIMITS.scimTokens).default([]),
    /** Extensions of the SCIM user schema. */
    scimSchemas: z.array(scimSchema).max(LIMITS.scimSchemas).default([]),
    /** Custom roles, in addition to the five system roles, which always exist. */
    roles: z.array(role).max(1_000).default([]),
    /** Groups of members, separate from roles. */
    groups: z.array(group).max(10_000).default([]),
    /** Applications, in addition to the portal application, which always exists. */
    applications: z.array(worldApplication).max(10_000).default([]),
    /** Language for emails to people who haven't chosen a language or aren't members yet. */
    mailLanguage: language.default('en'),
    /** Customised emails, each in one language. All other emails use the default copy. */
    mails: z
      .array(
        z.strictObject({
          ...mailWords.shape,
          /** Name of the email, e.g. `activation-code`. */
          name: mailName,
          /** Language of the subject and body. */
          language: language.default('en'),
        }),
      )
      .max(MAILS.length * LANGUAGES.length)
      .default([]),
    /** Endpoints that receive the organisation's events. */
    webhooks: z.array(webhook).max(100).default([]),
    /** APIs that applications can request access tokens for. */
    apiResources: z.array(worldApiResource).max(API_RESOURCES_MAX).default([]),
    /** Help pages, by category. */
    faq: z.array(faqCategory).max(50).default([]),
    /** Keys that the organisation signs with, newest first. Generated by default. */
    keys: keys.optional(),
    /** Members of the organisation. */
    people: z.array(worldPerson).max(100_000).default([]),
  }),
);

export type WorldOrganisation = z.output<typeof worldOrganisation>;
