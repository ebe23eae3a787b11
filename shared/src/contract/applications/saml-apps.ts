import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, optionalText, orgCode, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { applicationDetail } from './app-detail.ts';
import {
  APP_BODY_BYTES,
  eachAppAccess as access,
  appId,
  appPath,
  appUsers,
  callbackUrl,
  startUrl,
  webAddress,
} from './app-fields.ts';
import {
  METADATA_TOO_LARGE,
  samlAppFields,
  samlAppShape,
  samlCertificate,
  samlMetadata,
  serviceProvider,
} from './saml-fields.ts';

const area = 'Applications' as const;

export const createSamlApp = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/saml',
  area,
  access,
  summary: 'Create a SAML application',
  unversioned: 'creates',
  params: z.object({ orgCode }),
  /** The proposed `appId`. If it has been taken in the meantime, another ID is used. */
  body: samlAppFields.extend({ orgCode: orgCode.optional(), appId: appId.optional(), startUrl: startUrl.default('') }),
  bodyBytes: APP_BODY_BYTES,
  reply: z.object({ appId: z.string() }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'NAME_ID_MISSING'],
  events: ['application.created'],
});

export const updateSamlApp = endpoint({
  method: 'PUT',
  path: '/orgs/:orgCode/apps/saml/:appId',
  area,
  access,
  summary: 'Change a SAML application. Only the fields included in the request are replaced',
  versioned: 'application',
  current: applicationDetail,
  params: appPath,
  body: samlAppShape.partial().extend({
    /** Can be empty only if it already is, e.g. in an application from a world without this field. */
    redirectUrl: z.literal('').or(callbackUrl).optional(),
    startUrl: startUrl.optional(),
    usableBy: appUsers.optional(),
  }),
  bodyBytes: APP_BODY_BYTES,
  reply: z.object({ app: applicationDetail }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'ORG_APP_MISSING', 'NAME_ID_MISSING'],
  events: ['application.updated'],
});

export const readSamlMetadata = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/saml/metadata',
  area,
  access,
  summary: "Read a service provider's metadata from text in `metadata`, a `file`, a `url` or values entered by hand",
  unversioned: 'reads',
  params: z.object({ orgCode }),
  body: z
    .object({
      metadata: samlMetadata.optional(),
      /**
       * The file's bytes in base64. The encoding is taken from the byte order mark or XML declaration, with UTF-8 as
       * the default.
       */
      file: z
        .base64("This isn't valid base64")
        .min(1, 'The file is empty')
        .max(4 * Math.ceil(LIMITS.samlMetadataBytes / 3), METADATA_TOO_LARGE)
        .optional(),
      url: webAddress.optional(),
      /**
       * The service provider to read if the metadata describes several. The response then contains only this service
       * provider.
       */
      chosenEntityId: text(1_024).optional(),
      entityId: text(1_000)
        .regex(/^[^\s\p{Cc}]+$/u, 'Entity IDs cannot contain spaces')
        .optional(),
      assertionConsumerServiceUrl: webAddress.optional(),
      singleLogoutServiceUrl: webAddress.optional(),
      /** PEM certificate or its base64 content. */
      certificate: optionalText(20_000).optional(),
    })
    .superRefine(({ metadata, file, url, entityId, assertionConsumerServiceUrl }, check) => {
      if (metadata !== undefined || file !== undefined || url !== undefined) return;
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
  bodyBytes: APP_BODY_BYTES,
  /**
   * Metadata that describes several service providers is refused with INVALID_REQUEST and their `entityIds`. Pass
   * `chosenEntityId` to choose one of them.
   */
  reply: z.object({ metadata: z.string(), serviceProvider }),
  // Reading metadata doesn't modify any data, so there is no audit event.
  events: [],
});

export const getIdpMetadata = endpoint({
  method: 'GET',
  path: '/login/idp-metadata.xml',
  area,
  summary: 'Get the identity provider metadata for a SAML application, as XML',
  access: { who: 'public' },
  query: z.object({ orgCode, appId, download: z.enum(['true', 'false']).default('false') }),
  reply: z.object({}),
  document: 'application/samlmetadata+xml',
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING'],
});

const signingAlgorithm = z.enum(['RS256', 'ES256']);

const idpConfiguration = z.object({
  /** The organisation's OpenID Connect issuer. */
  issuer: z.string(),
  discoveryUrl: z.string(),
  /**
   * Certificates for signing SAML responses, newest first. The newest certificate signs, and older ones stay in the
   * metadata.
   */
  certificates: z.array(samlCertificate.extend({ kid: z.string() })),
  /** Keys for signing ID tokens, newest first. The newest key for each algorithm signs. */
  signingKeys: z.array(
    z.object({
      kid: z.string(),
      alg: signingAlgorithm,
      createdAt: z.string(),
      isSigning: z.boolean(),
      /** Earliest time at which the key stops being published; null while the key signs. */
      publishedUntil: z.string().nullable(),
    }),
  ),
  /** The SAML applications, each of which has its own identity provider. */
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
  summary: "Get the organisation's identity provider configuration",
  reply: idpConfiguration,
});

export const createIdpCertificate = endpoint({
  method: 'POST',
  path: '/org/idp/certificates',
  area,
  access: idpAccess,
  summary: 'Create a signing certificate. Old certificates stay in the metadata until they are deleted',
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

export const createSigningKey = endpoint({
  method: 'POST',
  path: '/org/idp/keys',
  area,
  access: idpAccess,
  summary: 'Create a key for signing ID tokens from now on. The old key stays published for existing tokens',
  unversioned: 'creates',
  body: z.object({ alg: signingAlgorithm }),
  reply: idpConfiguration,
  events: ['signing-key.added'],
});

export const deleteSigningKey = endpoint({
  method: 'DELETE',
  path: '/org/idp/keys/:kid',
  area,
  access: idpAccess,
  summary: 'Withdraw a key that no longer signs. Signatures made with it can no longer be verified',
  unversioned: 'deletes',
  params: z.object({ kid: id }),
  reply: idpConfiguration,
  refuses: ['FORBIDDEN'],
  refusalStatus: { FORBIDDEN: 200 },
  events: ['signing-key.deleted'],
});
