import { z } from 'zod';
import { displayText, optionalDisplayText, portalText } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { declareUtf8 } from '../../names.ts';
import { appDescription, appName, callbackUrl, seconds } from './app-fields.ts';

export const samlCertificate = z.object({
  use: z.enum(['signing', 'encryption', 'both']),
  subject: z.string(),
  issuer: z.string(),
  notBefore: z.string(),
  notAfter: z.string(),
  isExpired: z.boolean(),
  /** SHA-256 fingerprint, as hexadecimal pairs separated by colons. */
  fingerprint: z.string(),
});

/** Data read from a service provider's metadata (SAML 2.0 metadata §2.4.4). */
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
  /** Problems to review before saving, such as an expired certificate. */
  warnings: z.array(portalText(z.string())),
});
export type ServiceProvider = z.output<typeof serviceProvider>;

const samlAttributeConfig = z.object({
  name: displayText(200),
  /** The attribute's name format, usually a URI. */
  format: displayText(500).optional(),
  /** Value template, e.g. `${firstName} ${lastName}`. */
  transform: displayText(500).optional(),
});

const samlFlags = z.object({
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
  /**
   * True if a desktop app can be the device. Added to the specification's three options, which lets one call save all
   * login options. Unchanged if absent.
   */
  desktopAppEnabled: z.boolean().optional(),
});

export const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
] as const;

/** Names of the member's groups: separated by commas in a text value, or one entry each in a list. */
export const GROUPS_FIELD = 'groups';

/**
 * Member fields available for name IDs, attributes and templates, in addition to the organisation's own primary
 * attribute.
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
  GROUPS_FIELD,
] as const;

export const METADATA_TOO_LARGE = 'File is larger than 5 MB';
/**
 * Service provider metadata as XML text. The server checks the size in bytes. The text is already decoded and is
 * stored and served as UTF-8, so its declaration names no other encoding.
 */
export const samlMetadata = z
  .string("Upload the service provider's metadata")
  .trim()
  .min(1, "Upload the service provider's metadata")
  .max(LIMITS.samlMetadataBytes, METADATA_TOO_LARGE)
  .overwrite(declareUtf8);

/** Fields of a SAML application (spec 2 §3). All fields are optional in a change. */
export const samlAppShape = z.object({
  name: appName,
  description: appDescription,
  metadata: samlMetadata,
  /** Target of a sign-in that starts at the portal, sent as RelayState of the unsolicited response. */
  redirectUrl: callbackUrl,
  /** Member field used as the name ID. */
  samlNameId: displayText(100),
  samlNameIdFormat: z.enum(NAME_ID_FORMATS, 'Choose a format from the list').or(z.literal('')),
  /** Replaces the name ID with a template of member fields, e.g. `${email|lower}` (see `parseSamlTemplate`). */
  samlNameIdTransformationTemplate: optionalDisplayText(500),
  samlAttributes: z
    .array(displayText(200))
    .min(1, 'Add at least one attribute')
    .max(LIMITS.samlAttributes, `You can add at most ${LIMITS.samlAttributes} attributes`),
  samlAttributesConfig: z
    .array(samlAttributeConfig)
    .max(LIMITS.samlAttributes, `You can add at most ${LIMITS.samlAttributes} attributes`),
  /** True to encrypt assertions. Requires an RSA encryption key in the service provider's metadata. */
  encryptAssertions: z.boolean(),
  flags: samlFlags,
  /**
   * How long a browser is remembered, in seconds; 0 to not remember browsers. The organisation's `maxCookieLife`, in
   * minutes, limits it.
   */
  maxCookieLife: seconds,
});

/** Fields that define which data the application receives about a member. */
export const samlClaimFields = samlAppShape.pick({
  samlNameId: true,
  samlNameIdFormat: true,
  samlNameIdTransformationTemplate: true,
  samlAttributes: true,
  samlAttributesConfig: true,
});
export type SamlClaimFields = z.output<typeof samlClaimFields>;

/** Fields of a new SAML application, with default values for optional fields. */
export const samlAppFields = samlAppShape.extend({
  description: samlAppShape.shape.description.default(''),
  samlNameIdFormat: samlAppShape.shape.samlNameIdFormat.default(''),
  samlNameIdTransformationTemplate: samlAppShape.shape.samlNameIdTransformationTemplate.default(''),
  samlAttributesConfig: samlAppShape.shape.samlAttributesConfig.default([]),
  encryptAssertions: samlAppShape.shape.encryptAssertions.default(false),
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
  encryptAssertions: z.boolean(),
  flags: samlFlags,
  /** The portal's identity provider data, for configuring the service provider. */
  identityProvider: z.object({
    entityId: z.string(),
    singleSignOnUrl: z.string(),
    singleLogoutUrl: z.string(),
    metadataUrl: z.string(),
    /**
     * Certificates for signing the portal's responses, newest first. The newest certificate signs, and older ones
     * stay in the metadata.
     */
    certificates: z.array(samlCertificate.extend({ pem: z.string() })),
  }),
});
export type SamlConfiguration = z.output<typeof samlConfiguration>;
