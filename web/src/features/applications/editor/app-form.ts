import { t } from '@lingui/core/macro';
import {
  type ApplicationDetail,
  accessTokenFormat,
  appClaim,
  appDescription,
  appName,
  CLAIM_TYPES,
  callbackUrl,
  type getDefaultLoginOptions,
  idTokenAlgorithm,
  LIMITS,
  minutes,
  NAME_ID_FORMATS,
  type OidcConfiguration,
  optionalText,
  type ReplyOf,
  radiusMethod,
  type SamlConfiguration,
  type ServiceProvider,
  samlMetadata,
  seconds,
  startUrl,
  text,
  webAddress,
} from '@orchestrate/shared';
import { createContext, type RefObject } from 'react';
import { z } from 'zod';
import type { SamlDraft } from '../create/saml-draft.ts';
import { formatKeys, keysTextSchema } from '../oidc/keys-text.ts';
import { addressRows, checkAddresses, type UrlRows } from './app-schemas.ts';

/** Like `appClaim`, but all fields are required. */
const claimForm = z.object({
  name: appClaim.shape.name,
  value: appClaim.shape.value,
  type: z.enum(CLAIM_TYPES),
  scope: appClaim.shape.scope.unwrap(),
  roles: z.array(z.string()),
  groups: z.array(z.string()),
  idToken: z.boolean(),
  userinfo: z.boolean(),
  accessToken: z.boolean(),
});

const oidcForm = z
  .object({
    ...addressRows,
    ttl_IdToken: seconds,
    ttl_AccessToken: seconds,
    ttl_AuthorizationCode: seconds,
    ttl_RefreshToken: seconds,
    backchannelLogoutUrl: z.literal('').or(webAddress),
    frontchannelLogoutUrl: z.literal('').or(webAddress),
    claims: z.array(claimForm).max(LIMITS.claimsOfApp),
    keys: keysTextSchema,
    keysUrl: z.literal('').or(webAddress),
    idTokenAlg: idTokenAlgorithm,
    accessTokenFormat,
    rotateRefreshTokens: z.boolean(),
    tokenExchange: z.boolean(),
  })
  .superRefine(checkAddresses);

const attributeForm = z.object({
  name: text(200),
  configs: z
    .array(z.object({ type: z.enum(['Format', 'Transform']), value: text(500) }))
    .max(LIMITS.samlAttributeConfigs)
    .superRefine(([first, second], context) => {
      if (first && first.type === second?.type)
        context.addIssue({
          code: 'custom',
          path: [1, 'type'],
          message: t`Each type can be used only once per attribute`,
        });
    }),
});
export type AttributeForm = z.output<typeof attributeForm>;

/** Metadata input that hasn't been sent to the server for parsing. */
const unreadForm = z.object({
  url: z.string(),
  entityId: z.string(),
  assertionConsumerServiceUrl: z.string(),
  singleLogoutServiceUrl: z.string(),
  certificate: z.string(),
});
export type UnparsedMetadata = z.output<typeof unreadForm>;

export const NO_UNPARSED_METADATA: UnparsedMetadata = {
  url: '',
  entityId: '',
  assertionConsumerServiceUrl: '',
  singleLogoutServiceUrl: '',
  certificate: '',
};

export const hasUnparsedMetadata = (typed: UnparsedMetadata): boolean =>
  Object.values(typed).some((value) => value.trim() !== '');

const samlForm = z.object({
  metadata: samlMetadata,
  /** Must be empty to save. Entered metadata must be parsed first, or it would be silently dropped. */
  unread: unreadForm.refine((typed) => !hasUnparsedMetadata(typed)),
  /** Details parsed from `metadata`, for display. */
  serviceProvider: z.custom<ServiceProvider | null>(),
  redirectUrl: callbackUrl,
  encryptAssertions: z.boolean(),
  samlNameId: text(100),
  samlNameIdFormat: z.enum(NAME_ID_FORMATS).or(z.literal('')),
  samlNameIdTransformationTemplate: optionalText(500),
  attributes: z
    .array(attributeForm)
    .min(1, t`Add at least one attribute`)
    .max(LIMITS.samlAttributes)
    .superRefine((attributes, context) => {
      const names = attributes.map(({ name }) => name);
      names.forEach((name, at) => {
        if (name && names.indexOf(name) < at)
          context.addIssue({ code: 'custom', path: [at, 'name'], message: t`This attribute is already in the list` });
      });
    }),
});
type SamlForm = z.output<typeof samlForm>;

/**
 * Who can use the application: everyone, or only users with certain roles, in certain groups or selected
 * individually.
 */
const usersForm = z.object({
  isRestricted: z.boolean(),
  roles: z.array(z.string()),
  people: z.array(z.object({ suid: z.string(), name: z.string(), email: z.string() })),
  groups: z.array(z.object({ groupId: z.string(), displayName: z.string() })),
});

/** All fields of the application editor, across all tabs. */
export const appForm = z.object({
  name: appName,
  description: appDescription,
  startUrl,
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
  maxCookieMinutes: minutes,
  users: usersForm,
  /** OIDC applications only. */
  oidc: oidcForm.nullable(),
  /** SAML applications only. */
  saml: samlForm.nullable(),
  /** RADIUS applications only. */
  radius: z.object({ method: radiusMethod }).nullable(),
});
export type AppForm = z.output<typeof appForm>;

/**
 * Converts a list of URLs to form rows. Returns at least one row, because the editor shows an empty field for an
 * empty list.
 */
export const rowsOf = (urls: readonly string[]): UrlRows => (urls.length > 0 ? urls : ['']).map((value) => ({ value }));

function oidcOf({ clients }: OidcConfiguration): AppForm['oidc'] {
  return {
    kind: clients.kind,
    callbackUrls: rowsOf(clients.redirect_uris),
    logoutUrls: rowsOf(clients.post_logout_redirect_uris),
    ttl_IdToken: clients.ttl_IdToken,
    ttl_AccessToken: clients.ttl_AccessToken,
    ttl_AuthorizationCode: clients.ttl_AuthorizationCode,
    ttl_RefreshToken: clients.ttl_RefreshToken,
    backchannelLogoutUrl: clients.backchannel_logout_uri,
    frontchannelLogoutUrl: clients.frontchannel_logout_uri,
    claims: clients.claims,
    keys: formatKeys(clients.jwks),
    keysUrl: clients.jwks_uri,
    idTokenAlg: clients.id_token_signed_response_alg,
    accessTokenFormat: clients.access_token_format,
    rotateRefreshTokens: clients.rotate_refresh_tokens,
    tokenExchange: clients.token_exchange,
  };
}

/** Returns a name ID format, or '' if the form doesn't offer it. */
const formatOf = (format: string): SamlForm['samlNameIdFormat'] =>
  NAME_ID_FORMATS.find((known) => known === format) ?? '';

/** Merges the two lists in the API, attribute names and their configuration, into a single list. */
export function attributesOf(
  names: readonly string[],
  configs: SamlConfiguration['samlAttributesConfig'],
): AttributeForm[] {
  return names.map((name) => {
    const found = configs.find((config) => config.name === name);
    return {
      name,
      configs: [
        ...(found?.format ? [{ type: 'Format' as const, value: found.format }] : []),
        ...(found?.transform ? [{ type: 'Transform' as const, value: found.transform }] : []),
      ],
    };
  });
}

function samlOf(saml: SamlConfiguration): SamlForm {
  return {
    metadata: saml.metadata,
    unread: NO_UNPARSED_METADATA,
    serviceProvider: saml.serviceProvider,
    redirectUrl: saml.redirectUrl,
    encryptAssertions: saml.encryptAssertions,
    samlNameId: saml.samlNameId,
    samlNameIdFormat: formatOf(saml.samlNameIdFormat),
    samlNameIdTransformationTemplate: saml.samlNameIdTransformationTemplate,
    attributes: attributesOf(saml.samlAttributes, saml.samlAttributesConfig),
  };
}

const NO_USERS = { roles: [], people: [], groups: [] };

/** Converts an application to form values. The API uses seconds and the form uses minutes. */
export function formOf(app: ApplicationDetail): AppForm {
  return {
    name: app.name,
    description: app.description,
    startUrl: app.startUrl,
    didEnabled: app.didEnabled,
    webAuthnEnabled: app.webAuthnEnabled,
    desktopAppEnabled: app.desktopAppEnabled,
    forceAuthnEnabled: app.forceAuthnEnabled,
    maxCookieMinutes: Math.ceil(app.maxCookieLife / 60),
    users: { isRestricted: app.usableBy !== null, ...(app.usableBy ?? NO_USERS) },
    oidc: app.oidcConfiguration && oidcOf(app.oidcConfiguration),
    saml: app.samlConfiguration && samlOf(app.samlConfiguration),
    radius: app.radiusConfiguration && { method: app.radiusConfiguration.method },
  };
}

type Defaults = ReplyOf<typeof getDefaultLoginOptions>['result'];

/**
 * Returns the form for a new SAML application, filled with values from the first dialog and the organisation's
 * defaults.
 */
export function newSamlForm({ name, description }: SamlDraft, defaults: Defaults): AppForm {
  return {
    name,
    description,
    startUrl: '',
    didEnabled: defaults.didEnabled,
    webAuthnEnabled: defaults.webAuthnEnabled,
    desktopAppEnabled: defaults.desktopAppEnabled,
    forceAuthnEnabled: defaults.forceAuthnEnabled,
    maxCookieMinutes: Math.ceil(defaults.maxCookieLife / 60),
    users: { isRestricted: false, ...NO_USERS },
    oidc: null,
    radius: null,
    saml: {
      metadata: '',
      unread: NO_UNPARSED_METADATA,
      serviceProvider: null,
      redirectUrl: '',
      encryptAssertions: false,
      samlNameId: defaults.samlNameId,
      samlNameIdFormat: formatOf(defaults.samlNameIdFormat),
      samlNameIdTransformationTemplate: defaults.samlNameIdTransformationTemplate,
      attributes: attributesOf(defaults.samlAttributes, []),
    },
  };
}

/** Pending metadata upload, which submitting the form waits for. Resolves to false if the server refuses the file. */
export const PendingMetadataUpload = createContext<RefObject<Promise<boolean>>>({ current: Promise.resolve(true) });
