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
    /** Minutes until a portal session ends. 0 = no limit. */
    sessionTimeout: minutes.default(720),
    /** Minutes for which a browser is remembered. 0 = not remembered. */
    maxCookieLife: minutes.default(0),
    didEnabled: z.boolean().default(true),
    webAuthnEnabled: z.boolean().default(false),
    mobileAppEnabled: z.boolean().default(true),
    desktopAppEnabled: z.boolean().default(true),
    forceAuthnEnabled: z.boolean().default(false),
    stepUpAuthEnabled: z.boolean().default(false),
    appLockEnabled: z.boolean().default(false),
    allowReporteeSearch: z.boolean().default(true),
    /** True if signing out of the portal or an application signs the user out everywhere in that browser. */
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

/** The external OpenID provider that people can use to sign in. */
const provider = z.lazy(() =>
  z.strictObject({
    enabled: z.boolean().default(true),
    buttonLabel: optionalText(100).default(''),
    /** URL of the provider's discovery document: a web URL, or a path on this portal. */
    configurationUrl: urlField('web', /^\/\S+$/),
    clientId: text(500),
    clientSecret: text(2_000),
    /** Email or ID of the member who last changed the settings. */
    configuredBy: text(254).optional(),
  }),
);

/** A directory's SCIM credentials. */
const provisioning = z.lazy(() =>
  z.strictObject({
    username: text(200).optional(),
    password: text(500).optional(),
    createdAt: moment.optional(),
    /** Email or ID of the member who created the credentials. */
    madeBy: text(254).optional(),
    /** Maximum permissions that the directory can grant. Default: the creator's permissions. */
    ceiling: z.array(permission).max(100).optional(),
  }),
);

/** A directory's bearer token. */
const scimToken = z.lazy(() =>
  z
    .strictObject({
      id: id.optional(),
      name: text(100).default('Directory'),
      /** The token that the directory sends. */
      token: text(500).optional(),
      /** SHA-256 hash of the token, in base64url. Used by exports, which don't contain the token. */
      hash: text(100).optional(),
      createdAt: moment.optional(),
      lastUsedAt: moment.optional(),
      /** Time at which the token expires. Default: never. */
      expiresAt: moment.optional(),
      /** Email or ID of the member who created the token. */
      madeBy: text(254).optional(),
      /** Maximum permissions that the directory can grant, as in `provisioning`. */
      ceiling: z.array(permission).max(100).optional(),
    })
    .refine(({ token, hash }) => (token === undefined) !== (hash === undefined), 'Provide either token or hash'),
);

/** An extension of the user schema that the organisation has registered for its directory. */
const scimSchema = z.lazy(() =>
  scimSchemaForm.strict().extend({
    id: id.optional(),
    urn: scimSchemaUrn,
    createdAt: moment.optional(),
  }),
);

/** A token that applications use to register themselves. */
const registrationToken = z.lazy(() =>
  z
    .strictObject({
      id: id.optional(),
      name: text(100).default('Registration'),
      /** The token that an application sends. */
      token: text(500).optional(),
      /** SHA-256 hash of the token, in base64url. Used by exports, which don't contain the token. */
      hash: text(100).optional(),
      createdAt: moment.optional(),
      expiresAt: moment.optional(),
      lastUsedAt: moment.optional(),
      /**
       * Email or ID of the member who created the token. The token is valid while that member can manage
       * applications.
       */
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
    externalId: text(255).optional(),
    /** Emails or IDs of members of the same organisation. */
    members: z.array(text(254)).max(100_000).default([]),
    createdAt: moment.optional(),
    /** Time of the last change to the group or its members. Default: when the group was created. */
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
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'Enter a base64 secret such as whsec_…')
      .optional(),
    oldSecret: text(200).optional(),
    oldSecretUntil: moment.optional(),
    createdAt: moment.optional(),
    failingSince: moment.optional(),
    disabledAt: moment.optional(),
  }),
);

/** An API that applications request access tokens for. */
const worldApiResource = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    /** Audience of the API's access tokens. */
    identifier: resourceIdentifier,
    /** Display name. Default: the identifier. */
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

/** Keys that the organisation signs with, newest first. By default, they are generated on first use. */
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
    /** Name of the organisation's primary attribute, e.g. `employeeId`. */
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
    /** Custom roles, in addition to the five system roles, which always exist. */
    roles: z.array(role).max(1_000).default([]),
    groups: z.array(group).max(10_000).default([]),
    /** Applications, in addition to the portal application, which always exists. */
    applications: z.array(worldApplication).max(10_000).default([]),
    /** Language for emails to people who haven't chosen a language or aren't members yet. */
    mailLanguage: language.default('en'),
    /** Customised emails, each in one language. All other emails use the default copy. */
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
