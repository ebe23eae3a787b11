import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, nameText, orgCode, secret, time } from '../../fields.ts';
import { LOGO_UPLOAD_BYTES } from '../settings/settings.ts';
import { appClaims } from './app-claims.ts';
import { applicationDetail, clientSecret } from './app-detail.ts';
import {
  eachAppAccess as access,
  appAccess,
  appDescription,
  appId,
  application,
  appName,
  appPath,
  appUsers,
  loginOptions,
  NO_ADDRESS,
  radiusMethod,
  seconds,
  sharedSecret,
  someUrls,
  startUrl,
  webAddress,
} from './app-fields.ts';
import { clientKeys, idTokenAlgorithm } from './client-keys.ts';
import { addressProblem, clientKind, needsAddress } from './client-kinds.ts';

const area = 'Applications' as const;

export const listApps = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps',
  area,
  access,
  summary: 'List the applications of the organisation, by name',
  params: z.object({ orgCode }),
  reply: z.object({ apps: z.array(application) }),
});

export const getApp = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId',
  area,
  access,
  summary: 'Get an application with its configuration',
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
  summary: 'Get the default login options of new applications, and the defaults of new SAML applications',
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
  summary: 'Check if an application name is free, and get the id for an application of this name',
  unversioned: 'reads',
  params: z.object({ orgCode }),
  /** With `appId`, that application's own name counts as free. */
  body: z.object({ appName, orgId: orgCode, appId: appId.optional() }),
  reply: z.object({ result: z.object({ proposedAppId: z.string(), available: z.boolean() }) }),
  // It changes nothing.
  events: [],
});

const writtenClients = z.object({
  redirect_uris: someUrls,
  post_logout_redirect_uris: someUrls,
  /** Lifetimes in seconds; 0: expired from the start. */
  ttl_IdToken: seconds.optional(),
  ttl_AccessToken: seconds.optional(),
  ttl_AuthorizationCode: seconds.optional(),
  /** 0: the application gets no refresh tokens. */
  ttl_RefreshToken: seconds.optional(),
  backchannel_logout_uri: z.literal('').or(webAddress).optional(),
  frontchannel_logout_uri: z.literal('').or(webAddress).optional(),
  claims: appClaims.optional(),
  /**
   * Public keys with which the client authenticates (`private_key_jwt`); its secrets are then not accepted. Null
   * removes them.
   */
  jwks: clientKeys.nullable().optional(),
  /** URL of the public keys, instead of `jwks`. '' removes it. */
  jwks_uri: z.literal('').or(webAddress).optional(),
  id_token_signed_response_alg: idTokenAlgorithm.optional(),
});

const newClients = writtenClients
  .extend({
    kind: clientKind.default('web'),
    redirect_uris: someUrls.default([]),
    post_logout_redirect_uris: someUrls.default([]),
  })
  .superRefine(({ kind, ...lists }, context) => {
    for (const list of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
      const addresses = lists[list];
      if (needsAddress(kind) && addresses.length === 0) {
        context.addIssue({ code: 'custom', path: [list], message: NO_ADDRESS });
      }
      for (const [at, address] of addresses.entries()) {
        const message = addressProblem(kind, address);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [list, at], message });
      }
    }
  });

export const createApp = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps',
  area,
  access: appAccess,
  summary:
    'Create an application; one of type oidc gets a client id and, if its kind can keep one and it brings no keys, a first client secret; one of type radius or ldap a secret',
  unversioned: 'creates',
  params: z.object({ orgCode }),
  body: z
    .object({
      orgCode,
      integrationType: z.enum(['oidc', 'portal', 'ldap', 'radius']).default('oidc'),
      name: appName,
      description: appDescription.default(''),
      /** OIDC only; other types have no start page. */
      startUrl: startUrl.default(''),
      oidcConfiguration: z.object({ clients: newClients }).optional(),
      radiusConfiguration: z.object({ method: radiusMethod }).optional(),
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
  summary: 'Change an application; only the parts in the request are replaced',
  versioned: 'application',
  current: applicationDetail,
  params: appPath,
  body: loginOptions.partial().extend({
    appId: appId.optional(),
    orgCode: orgCode.optional(),
    name: appName.optional(),
    description: appDescription.optional(),
    /** OIDC and SAML only. */
    startUrl: startUrl.optional(),
    usableBy: appUsers.optional(),
    oidcConfiguration: z.object({ clients: writtenClients.partial() }).optional(),
    radiusConfiguration: z.object({ method: radiusMethod }).optional(),
  }),
  reply: z.object({ app: applicationDetail }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'ORG_APP_MISSING'],
  events: ['application.updated'],
});

export const duplicateApp = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/duplicate',
  area,
  access,
  summary:
    'Create an application with the saved settings of another one. Its secrets are new; keys, the SCIM service and what a client has registered are not copied',
  unversioned: 'creates',
  params: appPath,
  /** Its id is derived from the name, as `validateAppName` proposes it. */
  body: z.object({ name: appName }),
  reply: z.object({ appId: z.string() }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'ORG_APP_MISSING'],
  events: ['application.created'],
});

export const saveAppLogo = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/logo',
  area,
  access,
  summary: 'Set or replace the logo of an application, multipart: file',
  unversioned: 'acts',
  params: appPath,
  multipart: z.object({}),
  file: { maxBytes: LOGO_UPLOAD_BYTES, example: 'logo.png' },
  /** A file that cannot be a logo is INVALID_REQUEST, and the present logo stays. */
  reply: z.object({
    logo: z.string(),
    /** Content removed from the file, by its name in the file or format: `<script>`, `@import`, `EXIF`. */
    removed: z.array(z.string()),
  }),
  refuses: ['ORG_APP_MISSING', 'UPLOAD_BLOCKED_IN_DR'],
  events: ['application.updated'],
});

export const deleteAppLogo = endpoint({
  method: 'DELETE',
  path: '/orgs/:orgCode/apps/:appId/logo',
  area,
  access,
  summary: 'Remove the logo of an application',
  unversioned: 'deletes',
  params: appPath,
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING'],
  events: ['application.updated'],
});

export const listOwnApps = endpoint({
  method: 'GET',
  path: '/user/apps',
  area,
  access: { who: 'signed-in' },
  summary: 'List the OIDC and SAML applications that the caller can sign in to, by name',
  reply: z.object({
    apps: z.array(
      z.object({
        appId: z.string(),
        name: z.string(),
        description: z.string(),
        logo: z.string().nullable(),
        /**
         * URL that opens it: its own start URL, or for SAML one of the portal that signs in to it (SAML 2.0 Profiles
         * §4.1.5). Null if it can only be opened from its own side.
         */
        opensAt: z.string().nullable(),
      }),
    ),
  }),
});

export const deleteApp = endpoint({
  method: 'DELETE',
  path: '/orgs/:orgCode/apps/:appId',
  area,
  access,
  summary: 'Delete an application with its secrets; the last portal application cannot be deleted',
  unversioned: 'deletes',
  params: appPath,
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING', 'FORBIDDEN'],
  refusalStatus: { FORBIDDEN: 200 },
  events: ['application.deleted'],
});

export const replaceSharedSecret = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/shared-secret',
  area,
  access: appAccess,
  summary: 'Replace the secret of a RADIUS or LDAP application; without `secret`, a new one is generated',
  unversioned: 'acts',
  params: appPath,
  body: z.object({ secret: secret(sharedSecret).optional() }),
  reply: z.object({ secret: secret(z.string()) }),
  refuses: ['ORG_APP_MISSING'],
  events: ['application.secret-rotated'],
});

export const createClientSecret = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/secrets',
  area,
  access: appAccess,
  summary: 'Add a client secret, so that the old one can be replaced without an outage; at most 5',
  unversioned: 'creates',
  params: appPath,
  body: z.object({ name: nameText(100), expiresAt: time.nullable().default(null) }),
  reply: z.object({ secret: clientSecret }),
  refuses: ['ORG_APP_MISSING'],
  events: ['application.secret-added'],
});

export const deleteClientSecret = endpoint({
  method: 'DELETE',
  path: '/orgs/:orgCode/apps/:appId/secrets/:secretId',
  area,
  access: appAccess,
  summary: 'Revoke a client secret immediately; without any secret, the application is closed',
  unversioned: 'deletes',
  params: appPath.extend({ secretId: id }),
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING'],
  events: ['application.secret-deleted'],
});
