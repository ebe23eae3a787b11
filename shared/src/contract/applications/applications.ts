import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, nameText, orgCode, secret, time } from '../../fields.ts';
import { LOGO_UPLOAD_BYTES } from '../settings/settings.ts';
import { appClaims } from './app-claims.ts';
import {
  applicationDetail,
  clientSecret,
  ldapConfiguration,
  oidcClient,
  oidcConfiguration,
  radiusConfiguration,
} from './app-detail.ts';
import {
  APP_BODY_BYTES,
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
import { accessTokenFormat, clientKeys, idTokenAlgorithm } from './client-keys.ts';
import { addressProblem, clientKind, needsAddress } from './client-kinds.ts';
import { samlConfiguration } from './saml-fields.ts';

const area = 'Applications' as const;

export const listApps = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps',
  area,
  access,
  summary: "List the organisation's applications by name",
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
  summary: 'Get the default login options for new applications, and the defaults for new SAML applications',
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
  summary: 'Check whether an application name is available, and get the ID for an application with this name',
  unversioned: 'reads',
  params: z.object({ orgCode }),
  /** `appId` excludes that application, so its current name is treated as available. */
  body: z.object({ appName, orgId: orgCode, appId: appId.optional() }),
  reply: z.object({ result: z.object({ proposedAppId: z.string(), available: z.boolean() }) }),
  // A check doesn't modify any data, so there is no audit event.
  events: [],
});

const writtenClients = z.object({
  redirect_uris: someUrls,
  post_logout_redirect_uris: someUrls,
  /** ID token lifetime in seconds; 0 for tokens that have already expired. */
  ttl_IdToken: seconds.optional(),
  ttl_AccessToken: seconds.optional(),
  ttl_AuthorizationCode: seconds.optional(),
  /** Refresh token lifetime in seconds; 0 to issue no refresh tokens. */
  ttl_RefreshToken: seconds.optional(),
  backchannel_logout_uri: z.literal('').or(webAddress).optional(),
  frontchannel_logout_uri: z.literal('').or(webAddress).optional(),
  claims: appClaims.optional(),
  /**
   * Public keys the client authenticates with (`private_key_jwt`). While they are set, the client's secrets are not
   * accepted. Null removes the keys.
   */
  jwks: clientKeys.nullable().optional(),
  /** URL of the public keys, as an alternative to `jwks`. An empty string removes it. */
  jwks_uri: z.literal('').or(webAddress).optional(),
  id_token_signed_response_alg: idTokenAlgorithm.optional(),
  /**
   * Format of access tokens that the client requests without `resource`. `jwt` issues JWTs (RFC 9068) whose audience is
   * the client ID. New applications start with `opaque`.
   */
  access_token_format: accessTokenFormat.optional(),
  /**
   * Replaces the refresh token at each refresh (RFC 9700 §4.14.2). New applications start with true. Public clients
   * always rotate.
   */
  rotate_refresh_tokens: z.boolean().optional(),
  /**
   * Lets the client exchange users' access tokens that it receives for tokens for other services (RFC 8693). New
   * applications start with false. Not available for public clients.
   */
  token_exchange: z.boolean().optional(),
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
    'Create an application. An OIDC application gets a client ID and, if its kind can keep a secret and it has no keys, a first client secret. A RADIUS or LDAP application gets a secret',
  unversioned: 'creates',
  params: z.object({ orgCode }),
  body: z
    .object({
      /** Organisation code. Must equal the one in the path. */
      orgCode: orgCode.optional(),
      integrationType: z.enum(['oidc', 'portal', 'ldap', 'radius']).default('oidc'),
      name: appName,
      description: appDescription.default(''),
      /** Start URL, for OIDC only. Other types have no start page. */
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
  summary:
    'Change an application. Only the fields included in the request are replaced. The response of a read can be sent back: fields that this call can’t change must have their current values',
  versioned: 'application',
  current: applicationDetail,
  params: appPath,
  body: applicationDetail.partial().extend({
    ...loginOptions.partial().shape,
    appId: appId.optional(),
    orgCode: orgCode.optional(),
    name: appName.optional(),
    description: appDescription.optional(),
    /** Start URL, for OIDC and SAML only. */
    startUrl: startUrl.optional(),
    usableBy: appUsers.optional(),
    oidcConfiguration: oidcConfiguration
      .partial()
      .extend({ clients: oidcClient.partial().extend(writtenClients.partial().shape) })
      .nullable()
      .optional(),
    samlConfiguration: samlConfiguration.partial().nullable().optional(),
    radiusConfiguration: radiusConfiguration.partial().extend({ method: radiusMethod }).nullable().optional(),
    ldapConfiguration: ldapConfiguration.partial().nullable().optional(),
  }),
  bodyBytes: APP_BODY_BYTES,
  reply: z.object({ app: applicationDetail }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'ORG_APP_MISSING'],
  events: ['application.updated'],
});

/** Fields that `updateApp` changes, as paths in its body. All other fields must have their current values. */
export const EDITABLE_APP_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(loginOptions.shape),
  ...['name', 'description', 'startUrl', 'usableBy', 'radiusConfiguration.method'],
  ...Object.keys(writtenClients.shape).map((name) => `oidcConfiguration.clients.${name}`),
]);

export const duplicateApp = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/duplicate',
  area,
  access,
  summary:
    'Create an application with the saved settings of another application. Its secrets are new. Keys, the SCIM service and client registrations are not copied',
  unversioned: 'creates',
  params: appPath,
  /** The application ID is derived from the name, as proposed by `validateAppName`. */
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
  summary: "Set or replace an application's logo (multipart: file)",
  unversioned: 'acts',
  params: appPath,
  multipart: z.object({}),
  file: { maxBytes: LOGO_UPLOAD_BYTES, example: 'logo.png' },
  /** If the file can't be used as a logo, the result is INVALID_REQUEST and the current logo stays. */
  reply: z.object({
    logo: z.string(),
    /** Content removed from the file, named as in the file or its format: `<script>`, `@import`, `EXIF`. */
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
  summary: "Remove an application's logo",
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
  summary: 'List the OIDC and SAML applications the signed-in user can sign in to, by name',
  reply: z.object({
    apps: z.array(
      z.object({
        appId: z.string(),
        name: z.string(),
        description: z.string(),
        logo: z.string().nullable(),
        /**
         * URL that opens the application: its own start URL or, for SAML, a portal URL that signs the user in (SAML
         * 2.0 Profiles §4.1.5). Null if it can be opened only from its own site.
         */
        opensAt: z.string().nullable(),
        /** Time of the user's last sign-in to the application. Null if it isn't among their latest sign-ins. */
        lastSignInAt: time.nullable(),
      }),
    ),
  }),
});

export const deleteApp = endpoint({
  method: 'DELETE',
  path: '/orgs/:orgCode/apps/:appId',
  area,
  access,
  summary: 'Delete an application with its secrets. The last portal application cannot be deleted',
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
  summary: 'Replace the secret of a RADIUS or LDAP application. If `secret` is omitted, a new secret is generated',
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
  summary: 'Add a client secret (at most 5), so the old secret can be replaced without an outage',
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
  summary: 'Revoke a client secret immediately. Without a valid secret, the application is closed',
  unversioned: 'deletes',
  params: appPath.extend({ secretId: id }),
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING'],
  events: ['application.secret-deleted'],
});
