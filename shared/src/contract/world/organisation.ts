import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../audit-actions.ts';
import { id, nameText, newOrgCode, optionalText, text } from '../../fields.ts';
import { DEFAULT_BRAND, LIMITS } from '../../limits.ts';
import { urlField } from '../../url-field.ts';
import { API_RESOURCES_MAX, apiResourceForm, resourceIdentifier } from '../applications/api-resources.ts';
import { webAddress } from '../applications/app-fields.ts';
import { LANGUAGES, language, permission } from '../models.ts';
import { scimSchemaForm, scimSchemaUrn } from '../provisioning/scim-schemas.ts';
import { MAILS, mailName, mailWords } from '../settings/mails.ts';
import { brandColor, minutes, securityFields } from '../settings/settings.ts';
import { worldApplication } from './application.ts';
import { moment, worldLogo } from './fields.ts';
import { worldPerson } from './person.ts';

const branding = z.lazy(() =>
  z.strictObject({
    color: brandColor.default(DEFAULT_BRAND),
    title: optionalText(100).optional(),
    bannerText: optionalText(500).default(''),
    loginButtonName: optionalText(40).default('Sign in'),
    copyrightText: optionalText(200).default(''),
    logo: worldLogo.nullable().optional(),
  }),
);

const loginOptions = z.lazy(() =>
  z.strictObject({
    /** Timeout in minutes. */
    sessionTimeout: minutes.default(720),
    /** Lifetime in minutes. */
    maxCookieLife: minutes.default(0),
    didEnabled: z.boolean().default(true),
    webAuthnEnabled: z.boolean().default(false),
    mobileAppEnabled: z.boolean().default(true),
    desktopAppEnabled: z.boolean().default(true),
    forceAuthnEnabled: z.boolean().default(false),
    stepUpAuthEnabled: z.boolean().default(false),
    appLockEnabled: z.boolean().default(false),
    allowReporteeSearch: z.boolean().default(true),
    /** True if logging out of the portal or an application logs out of all in that browser. */
    logoutTogether: z.boolean().default(false),
  }),
);

const security = z.lazy(() =>
  z.strictObject({
    allowedIps: securityFields.shape.allowedIps.default([]),
    allowedEmailDomains: securityFields.shape.allowedEmailDomains.default([]),
    activationLinkDelayHours: securityFields.shape.activationLinkDelayHours.default(0),
    deviceLimit: securityFields.shape.deviceLimit.default(5),
    discloseUnknownUsers: z.boolean().default(false),
  }),
);

/** The external OpenID provider that people can sign in through. */
const provider = z.lazy(() =>
  z.strictObject({
    enabled: z.boolean().default(true),
    buttonLabel: optionalText(100).default(''),
    /** URL of its discovery document: a web URL, or a path of this portal. */
    configurationUrl: urlField('web', /^\/\S+$/),
    clientId: text(500),
    clientSecret: text(2_000),
    /** Email or id of the member who set it last. */
    configuredBy: text(254).optional(),
  }),
);

/** Credentials of a directory (SCIM). */
const provisioning = z.lazy(() =>
  z.strictObject({
    username: text(200).optional(),
    password: text(500).optional(),
    createdAt: moment.optional(),
    /** Email or id of the member who created them. */
    madeBy: text(254).optional(),
    /** Maximum permissions that the directory can grant; by default those of the creator. */
    ceiling: z.array(permission).max(100).optional(),
  }),
);

/** A bearer token of a directory. */
const scimToken = z.lazy(() =>
  z
    .strictObject({
      id: id.optional(),
      name: text(100).default('Directory'),
      /** The token that the directory sends. */
      token: text(500).optional(),
      /** SHA-256 of the token in base64url, for exports, which don't contain the token. */
      hash: text(100).optional(),
      createdAt: moment.optional(),
      lastUsedAt: moment.optional(),
      /** No expiry by default. */
      expiresAt: moment.optional(),
      /** Email or id of the member who created it. */
      madeBy: text(254).optional(),
      /** As in `provisioning`. */
      ceiling: z.array(permission).max(100).optional(),
    })
    .refine(({ token, hash }) => (token === undefined) !== (hash === undefined), 'Provide either token or hash'),
);

/** A user extension that the organisation has registered for its directory. */
const scimSchema = z.lazy(() =>
  scimSchemaForm.strict().extend({
    id: id.optional(),
    urn: scimSchemaUrn,
    createdAt: moment.optional(),
  }),
);

/** A token that applications register themselves with. */
const registrationToken = z.lazy(() =>
  z
    .strictObject({
      id: id.optional(),
      name: text(100).default('Registration'),
      /** The token that an application sends. */
      token: text(500).optional(),
      /** SHA-256 of the token in base64url, for exports, which don't contain the token. */
      hash: text(100).optional(),
      createdAt: moment.optional(),
      expiresAt: moment.optional(),
      lastUsedAt: moment.optional(),
      /** Email or id of the member who created it: it is valid while they can manage applications. */
      madeBy: text(254),
    })
    .refine(({ token, hash }) => (token === undefined) !== (hash === undefined), 'Provide either token or hash'),
);

const role = z.lazy(() =>
  z.strictObject({
    code: text(60).regex(
      /^[A-Z0-9_-]+$/,
      'Role codes can only contain capital letters, digits, hyphens and underscores',
    ),
    name: text(60).optional(),
    permissions: z.array(permission).max(100).default([]),
    externalId: text(1_000).optional(),
    /** As old as the organisation by default. */
    createdAt: moment.optional(),
    /** Time of the last change of the role or its members. */
    changedAt: moment.optional(),
  }),
);

/** A group, which is separate from roles. */
const group = z.lazy(() =>
  z.strictObject({
    /** Derived from the organisation and the name by default. */
    id: id.optional(),
    /** Unique among groups and roles, ignoring case. */
    name: nameText(LIMITS.groupNameMaxLength),
    externalId: text(255).optional(),
    /** Emails or ids of members of the same organisation. */
    members: z.array(text(254)).max(100_000).default([]),
    createdAt: moment.optional(),
    /** Time of the last change of the group or its members; the creation by default. */
    changedAt: moment.optional(),
  }),
);

const webhook = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    url: webAddress,
    description: optionalText(200).default(''),
    enabled: z.boolean().default(true),
    events: z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length).default([]),
    secret: text(200)
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'Enter a secret such as whsec_…, in base64')
      .optional(),
    oldSecret: text(200).optional(),
    oldSecretUntil: moment.optional(),
    createdAt: moment.optional(),
    failingSince: moment.optional(),
    disabledAt: moment.optional(),
  }),
);

/** An API that applications get access tokens for. */
const worldApiResource = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    /** The audience of its tokens. */
    identifier: resourceIdentifier,
    /** Its identifier by default. */
    name: text(100).optional(),
    scopes: apiResourceForm.shape.scopes,
    createdAt: moment.optional(),
  }),
);

const faqRecord = z.lazy(() =>
  z.strictObject({ id: id.optional(), question: text(500), answer: z.string().trim().max(10_000) }),
);
const faqSubcategory = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    name: text(100),
    records: z.array(faqRecord).max(200).default([]),
  }),
);
const faqCategory = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    name: text(100),
    subcategories: z.array(faqSubcategory).max(50).default([]),
  }),
);

/** Keys that the organisation signs with, newest first; by default they are generated when first needed. */
const keys = z.lazy(() =>
  z.strictObject({
    oidc: z
      .array(
        z.strictObject({
          id: text(100),
          alg: z.enum(['RS256', 'ES256']),
          privateJwk: z.record(z.string(), z.string()),
          createdAt: moment.optional(),
        }),
      )
      .max(100)
      .default([]),
    saml: z
      .array(
        z.strictObject({
          id: text(100),
          /** PKCS #8, PEM. */
          privateKey: text(20_000),
          /** X.509, PEM. */
          certificate: text(20_000),
          createdAt: moment.optional(),
          expiresAt: moment.optional(),
        }),
      )
      .max(100)
      .default([]),
  }),
);

export const worldOrganisation = z.lazy(() =>
  z.strictObject({
    code: newOrgCode,
    name: text(100).optional(),
    createdAt: moment.optional(),
    /** The organisation's name for the primary attribute, e.g. `employeeId`. */
    primaryAttrField: text(100).default('employeeId'),
    primaryEmailField: text(100).default('primaryEmail'),
    branding: branding.optional(),
    loginOptions: loginOptions.optional(),
    security: security.optional(),
    provider: provider.optional(),
    provisioning: provisioning.optional(),
    registrationTokens: z.array(registrationToken).max(LIMITS.registrationTokens).default([]),
    scimTokens: z.array(scimToken).max(LIMITS.scimTokens).default([]),
    scimSchemas: z.array(scimSchema).max(LIMITS.scimSchemas).default([]),
    /** Custom roles; the five system roles always exist. */
    roles: z.array(role).max(1_000).default([]),
    groups: z.array(group).max(10_000).default([]),
    /** The portal application always exists. */
    applications: z.array(worldApplication).max(10_000).default([]),
    /** Language of emails to people who have chosen none, or are not members yet. */
    mailLanguage: language.default('en'),
    /** Emails with their own texts, each in one language; the others have the default texts. */
    mails: z
      .array(z.strictObject({ ...mailWords.shape, name: mailName, language: language.default('en') }))
      .max(MAILS.length * LANGUAGES.length)
      .default([]),
    webhooks: z.array(webhook).max(100).default([]),
    apiResources: z.array(worldApiResource).max(API_RESOURCES_MAX).default([]),
    faq: z.array(faqCategory).max(50).default([]),
    keys: keys.optional(),
    people: z.array(worldPerson).max(100_000).default([]),
  }),
);

export type WorldOrganisation = z.output<typeof worldOrganisation>;
