import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  displayText,
  id,
  optionalDisplayText,
  optionalText,
  orgCode,
  secret,
  text,
  time,
  wholeNumber,
} from '../fields.ts';
import { LIMITS } from '../limits.ts';

/** Applications (spec 2 §3, §5, §7). Durations are seconds; the forms show some of them in minutes. */
export const integrationType = z.enum(['oidc', 'saml', 'portal', 'ldap', 'radius']);
export type IntegrationType = z.output<typeof integrationType>;

export const APP_NAME_PATTERN = /^[A-Za-z0-9 /_+=.@!-]*$/;

export const appName = text(LIMITS.appNameMaxLength).regex(
  APP_NAME_PATTERN,
  'Use only letters (A-Z, a-z), numbers (0-9), space and the symbols (/_+=.@!-)',
);
export const appDescription = optionalDisplayText(LIMITS.appDescriptionMaxLength, { isMultiline: true });

/** An id in an address: letters, digits, `-` and `_`. */
const appId = id;
const appPath = z.object({ orgCode, appId });

/** Whole seconds, at most ten years. */
export const seconds = wholeNumber(0, 315_360_000, 'At most ten years');

/**
 * Where a client may be redirected: an absolute http, https or (for native apps) reverse-domain address, without a
 * fragment and without wildcards (RFC 6749 §3.1.2, RFC 8252 §7.1). `localhost` is allowed.
 */
export const callbackUrl = address(isCallbackUrl);

/** A web address to redirect a browser to: http or https, otherwise like `callbackUrl`. */
const webAddress = address((value) => isCallbackUrl(value) && /^https?:/i.test(value));

function address(isOne: (value: string) => boolean) {
  return z
    .string('Invalid URL')
    .trim()
    .min(1, 'Invalid URL')
    .max(2_000, 'At most 2000 characters')
    .refine(isOne, 'Invalid URL');
}

/** Refuses a wildcard, a fragment, and what browsers read differently: blanks, control characters, backslashes. */
const NO_URI_CHARACTER = /[\s*#\\\p{Cc}]/u;

export function isCallbackUrl(value: string): boolean {
  if (NO_URI_CHARACTER.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (username || password) return false;
  if (protocol === 'http:' || protocol === 'https:') return hostname !== '' && /^https?:\/\/[^/]/i.test(value);
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol);
}

const urlList = z.array(callbackUrl).min(1, 'At least one address').max(50, 'At most 50 addresses');

const loginOptions = z.object({
  /** Seconds for which a browser is remembered; 0 = not at all. */
  maxCookieLife: seconds,
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
});

export const application = loginOptions.extend({
  appId: z.string(),
  orgCode: z.string(),
  name: z.string(),
  description: z.string(),
  integrationType,
});
export type Application = z.output<typeof application>;

export const clientSecret = z.object({
  secretId: z.string(),
  name: z.string(),
  client_secret: secret(z.string()),
  createdAt: z.string(),
  /** Null: never. */
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
export type ClientSecret = z.output<typeof clientSecret>;

export const oidcClient = z.object({
  client_id: z.string(),
  /** The newest secret that is still valid; '' for a client without one, which must then use PKCE. */
  client_secret: secret(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()),
  ttl_IdToken: z.number().int(),
  ttl_AccessToken: z.number().int(),
  ttl_AuthorizationCode: z.number().int(),
  ttl_RefreshToken: z.number().int(),
});

export const oidcConfiguration = z.object({
  /** The issuer: `{host}/oidc/{orgCode}`. */
  domainUrl: z.string(),
  authorizationEndpoint: z.string(),
  discoveryUrl: z.string(),
  clients: oidcClient,
  /** Newest first. */
  clientSecrets: z.array(clientSecret),
});
export type OidcConfiguration = z.output<typeof oidcConfiguration>;

export const samlCertificate = z.object({
  use: z.enum(['signing', 'encryption', 'both']),
  subject: z.string(),
  issuer: z.string(),
  notBefore: z.string(),
  notAfter: z.string(),
  isExpired: z.boolean(),
  /** SHA-256, hexadecimal pairs with colons. */
  fingerprint: z.string(),
});

/** What was read from the metadata of a service provider (SAML 2.0 metadata §2.4.4). */
export const serviceProvider = z.object({
  entityId: z.string(),
  assertionConsumerServices: z.array(
    z.object({ binding: z.string(), location: z.string(), index: z.number().int(), isDefault: z.boolean() }),
  ),
  singleLogoutServices: z.array(z.object({ binding: z.string(), location: z.string() })),
  nameIdFormats: z.array(z.string()),
  certificates: z.array(samlCertificate),
  authnRequestsSigned: z.boolean(),
  wantAssertionsSigned: z.boolean(),
  /** What an administrator should know before saving, e.g. an expired certificate. */
  warnings: z.array(z.string()),
});
export type ServiceProvider = z.output<typeof serviceProvider>;

const samlAttributeConfig = z.object({
  name: displayText(200),
  /** Name format of the attribute, usually a URI. */
  format: displayText(500).optional(),
  /** Template of the value, e.g. `${firstName} ${lastName}`. */
  transform: displayText(500).optional(),
});

const samlFlags = z.object({
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
  /** An addition to the spec's three, so that one call saves all login options; unchanged where absent. */
  desktopAppEnabled: z.boolean().optional(),
});

export const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
] as const;

/**
 * The member fields that a name id, an attribute or a template may use; the organisation's own primary attribute too.
 */
export const MEMBER_FIELDS = [
  'email',
  'primaryEmail',
  'primaryAttr',
  'suid',
  'firstName',
  'lastName',
  'fullName',
  'mobileNumber',
  'roleCode',
  'roleName',
] as const;

export const METADATA_TOO_LARGE = 'File is larger than 5 MB';
/** Service provider metadata as XML text. The server checks its size in bytes. */
export const samlMetadata = z
  .string('Upload the metadata of the service provider')
  .trim()
  .min(1, 'Upload the metadata of the service provider')
  .max(LIMITS.samlMetadataBytes, METADATA_TOO_LARGE);

/** The fields of a SAML application (spec 2 §3): a change sends some of them, so each may be absent. */
const samlAppShape = z.object({
  name: appName,
  description: appDescription,
  metadata: samlMetadata,
  /** Where a sign-in that begins at the portal ends: the RelayState of the unsolicited response. */
  redirectUrl: callbackUrl,
  /** The member's field that becomes the name id. */
  samlNameId: displayText(100),
  samlNameIdFormat: z.enum(NAME_ID_FORMATS, 'Choose a format of the list').or(z.literal('')),
  /** Replaces the name id by a template of fields, e.g. `${email|lower}`: see `parseSamlTemplate`. */
  samlNameIdTransformationTemplate: optionalDisplayText(500),
  samlAttributes: z
    .array(displayText(200))
    .min(1, 'At least one attribute')
    .max(LIMITS.samlAttributes, `At most ${LIMITS.samlAttributes} attributes`),
  samlAttributesConfig: z
    .array(samlAttributeConfig)
    .max(LIMITS.samlAttributes, `At most ${LIMITS.samlAttributes} attributes`),
  flags: samlFlags,
  maxCookieLife: seconds,
});

/** The same for a new application: optional fields have default values. */
export const samlAppFields = samlAppShape.extend({
  description: samlAppShape.shape.description.default(''),
  samlNameIdFormat: samlAppShape.shape.samlNameIdFormat.default(''),
  samlNameIdTransformationTemplate: samlAppShape.shape.samlNameIdTransformationTemplate.default(''),
  samlAttributesConfig: samlAppShape.shape.samlAttributesConfig.default([]),
  maxCookieLife: seconds.default(0),
});

export const samlConfiguration = z.object({
  metadata: z.string(),
  serviceProvider,
  redirectUrl: z.string(),
  samlNameId: z.string(),
  samlNameIdFormat: z.string(),
  samlNameIdTransformationTemplate: z.string(),
  samlAttributes: z.array(z.string()),
  samlAttributesConfig: z.array(
    z.object({ name: z.string(), format: z.string().optional(), transform: z.string().optional() }),
  ),
  flags: samlFlags,
  /** The portal's side: what the service provider needs to know. */
  identityProvider: z.object({
    entityId: z.string(),
    singleSignOnUrl: z.string(),
    metadataUrl: z.string(),
    certificates: z.array(samlCertificate),
  }),
});
export type SamlConfiguration = z.output<typeof samlConfiguration>;

export const applicationDetail = application.extend({
  createdAt: z.string(),
  /** OIDC applications only. */
  oidcConfiguration: oidcConfiguration.nullable(),
  /** SAML applications only. */
  samlConfiguration: samlConfiguration.nullable(),
});
export type ApplicationDetail = z.output<typeof applicationDetail>;

const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const area = 'Applications' as const;

export const listApps = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps',
  area,
  access,
  summary: 'The applications of the organisation, by name',
  params: z.object({ orgCode }),
  reply: z.object({ apps: z.array(application) }),
});

export const getApp = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId',
  area,
  access,
  summary: 'One application with its configuration',
  versioned: 'application',
  params: appPath,
  reply: z.object({ app: applicationDetail }),
  refuses: ['ORG_APP_MISSING'],
});

export const getDefaultLoginOptions = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/default-login-options',
  area,
  access,
  summary: 'The login options that a new application begins with, and the defaults of a new SAML application',
  params: z.object({ orgCode }),
  reply: z.object({
    result: loginOptions.extend({
      samlNameId: z.string(),
      samlNameIdFormat: z.string(),
      samlNameIdTransformationTemplate: z.string(),
      samlAttributes: z.array(z.string()),
    }),
  }),
});

export const validateAppName = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/validate',
  area,
  access,
  summary: 'Whether a name is free, and the id that an application of this name would get',
  unversioned: 'reads',
  params: z.object({ orgCode }),
  /** With `appId`, that application's own name counts as free. */
  body: z.object({ appName, orgId: orgCode, appId: appId.optional() }),
  reply: z.object({ result: z.object({ proposedAppId: z.string(), available: z.boolean() }) }),
  // It changes nothing.
  events: [],
});

const writtenClients = z.object({
  redirect_uris: urlList,
  post_logout_redirect_uris: urlList,
  ttl_IdToken: seconds.optional(),
  ttl_AccessToken: seconds.optional(),
  ttl_AuthorizationCode: seconds.optional(),
  ttl_RefreshToken: seconds.optional(),
});

export const createApp = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps',
  area,
  access,
  summary: 'Create an application; one of type oidc gets a client id and a first client secret',
  unversioned: 'creates',
  params: z.object({ orgCode }),
  body: z
    .object({
      orgCode,
      integrationType: z.enum(['oidc', 'portal', 'ldap', 'radius']).default('oidc'),
      name: appName,
      description: appDescription.default(''),
      oidcConfiguration: z.object({ clients: writtenClients }).optional(),
    })
    .refine((body) => body.integrationType !== 'oidc' || body.oidcConfiguration, {
      path: ['oidcConfiguration'],
      message: 'This field is required',
    }),
  reply: z.object({ app: applicationDetail }),
  refuses: ['ORG_APP_ALREADY_EXISTS'],
  events: ['application.created'],
});

export const updateApp = endpoint({
  method: 'PUT',
  path: '/orgs/:orgCode/apps/:appId',
  area,
  access,
  summary: 'Change an application: each part that is sent replaces that part, the others stay',
  versioned: 'application',
  current: applicationDetail,
  params: appPath,
  body: loginOptions.partial().extend({
    appId: appId.optional(),
    orgCode: orgCode.optional(),
    name: appName.optional(),
    description: appDescription.optional(),
    oidcConfiguration: z.object({ clients: writtenClients.partial() }).optional(),
  }),
  reply: z.object({ app: applicationDetail }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'ORG_APP_MISSING'],
  events: ['application.updated'],
});

export const deleteApp = endpoint({
  method: 'DELETE',
  path: '/orgs/:orgCode/apps/:appId',
  area,
  access,
  summary: 'Delete an application with its secrets; a portal application only while another one is left',
  unversioned: 'deletes',
  params: appPath,
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING', 'FORBIDDEN'],
  refusalStatus: { FORBIDDEN: 200 },
  events: ['application.deleted'],
});

export const createClientSecret = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/secrets',
  area,
  access,
  summary: 'Another client secret, so that the old one can be replaced without an outage; at most 5',
  unversioned: 'creates',
  params: appPath,
  body: z.object({ name: displayText(100), expiresAt: time.nullable().default(null) }),
  reply: z.object({ secret: clientSecret }),
  refuses: ['ORG_APP_MISSING'],
  events: ['application.secret-added'],
});

export const deleteClientSecret = endpoint({
  method: 'DELETE',
  path: '/orgs/:orgCode/apps/:appId/secrets/:secretId',
  area,
  access,
  summary: 'Revoke a client secret at once; a client without any is public and must use PKCE',
  unversioned: 'deletes',
  params: appPath.extend({ secretId: id }),
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING'],
  events: ['application.secret-deleted'],
});

/** XML grows in JSON by its escapes: twice the limit, plus the other fields. */
const metadataBody = 2 * LIMITS.samlMetadataBytes + LIMITS.jsonBodyBytes;

export const createSamlApp = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/saml',
  area,
  access,
  summary: 'Create a SAML application',
  unversioned: 'creates',
  params: z.object({ orgCode }),
  /** `appId`: the proposed one; if it is taken by now, another one is made. */
  body: samlAppFields.extend({ orgCode, appId: appId.optional() }),
  bodyBytes: metadataBody,
  reply: z.object({ appId: z.string() }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'NAME_ID_MISSING'],
  events: ['application.created'],
});

export const updateSamlApp = endpoint({
  method: 'PUT',
  path: '/orgs/:orgCode/apps/saml/:appId',
  area,
  access,
  summary: 'Change a SAML application: each field that is sent replaces that field',
  versioned: 'application',
  current: applicationDetail,
  params: appPath,
  body: samlAppShape.partial(),
  bodyBytes: metadataBody,
  reply: z.object({ app: applicationDetail }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'ORG_APP_MISSING', 'NAME_ID_MISSING'],
  events: ['application.updated'],
});

export const readSamlMetadata = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/saml/metadata',
  area,
  access,
  summary:
    'What the metadata of a service provider says: a file as `metadata`, an address as `url`, or what was typed by hand',
  unversioned: 'reads',
  params: z.object({ orgCode }),
  body: z
    .object({
      metadata: samlMetadata.optional(),
      url: text(2_000).optional(),
      entityId: text(1_000)
        .regex(/^[^\s\p{Cc}]+$/u, 'An entity id has no spaces')
        .optional(),
      assertionConsumerServiceUrl: webAddress.optional(),
      singleLogoutServiceUrl: webAddress.optional(),
      /** PEM, or its base64 part. */
      certificate: optionalText(20_000).optional(),
    })
    .superRefine(({ metadata, url, entityId, assertionConsumerServiceUrl }, check) => {
      if (metadata !== undefined || url !== undefined) return;
      const isByHand = entityId !== undefined || assertionConsumerServiceUrl !== undefined;
      const missing = isByHand
        ? [
            ...(entityId === undefined ? ['entityId'] : []),
            ...(assertionConsumerServiceUrl === undefined ? ['assertionConsumerServiceUrl'] : []),
          ]
        : ['metadata'];
      for (const name of missing) {
        check.addIssue({ code: 'custom', path: [name], message: 'This field is required' });
      }
    }),
  bodyBytes: metadataBody,
  reply: z.object({ metadata: z.string(), serviceProvider }),
  // It changes nothing.
  events: [],
});

export const getIdpMetadata = endpoint({
  method: 'GET',
  path: '/login/idp-metadata.xml',
  area,
  summary: 'The metadata of the identity provider for one SAML application, as XML',
  access: { who: 'public' },
  query: z.object({ orgCode, appId, download: z.enum(['true', 'false']).default('false') }),
  reply: z.object({}),
  document: 'application/samlmetadata+xml',
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING'],
});

const idpConfiguration = z.object({
  /** The OpenID Connect issuer of the organisation. */
  issuer: z.string(),
  discoveryUrl: z.string(),
  /** The certificates that sign SAML answers, newest first; the newest signs, the others are still in the metadata. */
  certificates: z.array(samlCertificate.extend({ kid: z.string() })),
  /** The SAML applications: each has its own identity provider. */
  applications: z.array(
    z.object({
      appId: z.string(),
      name: z.string(),
      entityId: z.string(),
      singleSignOnUrl: z.string(),
      metadataUrl: z.string(),
    }),
  ),
});
export type IdpConfiguration = z.output<typeof idpConfiguration>;

const idpAccess = { who: 'permission', permission: 'ADD_UPDATE_SAML_CONFIGURATION' } as const;

export const getIdpConfiguration = endpoint({
  method: 'GET',
  path: '/org/idp',
  area,
  access: idpAccess,
  summary: 'The identity provider that the organisation is to its applications',
  reply: idpConfiguration,
});

export const createIdpCertificate = endpoint({
  method: 'POST',
  path: '/org/idp/certificates',
  area,
  access: idpAccess,
  summary: 'A new signing certificate; the old ones stay in the metadata until they are deleted',
  unversioned: 'creates',
  body: z.object({}),
  reply: idpConfiguration,
  events: ['idp-certificate.added'],
});

export const deleteIdpCertificate = endpoint({
  method: 'DELETE',
  path: '/org/idp/certificates/:kid',
  area,
  access: idpAccess,
  summary: 'Delete a certificate that no longer signs',
  unversioned: 'deletes',
  params: z.object({ kid: id }),
  reply: idpConfiguration,
  refuses: ['FORBIDDEN'],
  refusalStatus: { FORBIDDEN: 200 },
  events: ['idp-certificate.deleted'],
});
