import { type createSamlApp, hasSignIn, type InputOf, type updateApp, type updateSamlApp } from '@orchestrate/shared';
import { isDeepEqual } from '#ui/editing/three-way.ts';
import { parseKeys } from '../oidc/keys-text.ts';
import type { AppForm, AttributeForm } from './app-form.ts';
import { urlsOf } from './app-schemas.ts';

type UpdateBody = NonNullable<InputOf<typeof updateApp>['body']>;
type SamlUpdateBody = NonNullable<InputOf<typeof updateSamlApp>['body']>;
type SamlCreateBody = Omit<NonNullable<InputOf<typeof createSamlApp>['body']>, 'orgCode' | 'appId'>;

/** Changed field groups of a form. Unchanged groups are absent. */
export type ChangedFields = { [Part in keyof AppForm]?: unknown };

/** Returns the field groups of `form` that differ from `base`. */
export function changesBetween(base: AppForm, form: AppForm): ChangedFields {
  const parts = (Object.keys(form) as (keyof AppForm)[]).filter((part) => !isDeepEqual(form[part], base[part]));
  const changed: ChangedFields = Object.fromEntries(parts.map((part) => [part, true]));
  const isOtherMetadata = form.saml?.metadata !== base.saml?.metadata;
  return changed.saml ? { ...changed, saml: { metadata: isOtherMetadata } } : changed;
}

const SECONDS_A_MINUTE = 60;

/** Returns `value` only if it changed, to avoid overwriting a colleague's later change. */
const when = <Value extends object>(isChanged: unknown, value: Value): Partial<Value> => (isChanged ? value : {});

function usableBy({ users: { isRestricted, roles, people, groups } }: AppForm) {
  if (!isRestricted) return null;
  return { roles, people: people.map(({ suid }) => suid), groups: groups.map(({ groupId }) => groupId) };
}

function changedOptions(form: AppForm, changed: ChangedFields) {
  return {
    ...when(changed.name, { name: form.name }),
    ...when(changed.description, { description: form.description }),
    ...when(changed.startUrl, { startUrl: form.startUrl }),
    ...when(changed.users, { usableBy: usableBy(form) }),
    ...when(changed.maxCookieMinutes, { maxCookieLife: form.maxCookieMinutes * SECONDS_A_MINUTE }),
  };
}

/** Builds the request body for updating an application, without its SAML fields. */
export function updateBody(form: AppForm, changed: ChangedFields): UpdateBody {
  const { oidc } = form;
  return {
    ...changedOptions(form, changed),
    ...when(changed.didEnabled, { didEnabled: form.didEnabled }),
    ...when(changed.webAuthnEnabled, { webAuthnEnabled: form.webAuthnEnabled }),
    ...when(changed.desktopAppEnabled, { desktopAppEnabled: form.desktopAppEnabled }),
    ...when(changed.forceAuthnEnabled, { forceAuthnEnabled: form.forceAuthnEnabled }),
    ...when(changed.radius, { radiusConfiguration: form.radius ?? undefined }),
    ...(oidc &&
      Boolean(changed.oidc) && {
        oidcConfiguration: {
          clients: {
            ...when(hasSignIn(oidc.kind), {
              redirect_uris: urlsOf(oidc.callbackUrls),
              post_logout_redirect_uris: urlsOf(oidc.logoutUrls),
            }),
            ttl_IdToken: oidc.ttl_IdToken,
            ttl_AccessToken: oidc.ttl_AccessToken,
            ttl_AuthorizationCode: oidc.ttl_AuthorizationCode,
            ttl_RefreshToken: oidc.ttl_RefreshToken,
            backchannel_logout_uri: oidc.backchannelLogoutUrl,
            frontchannel_logout_uri: oidc.frontchannelLogoutUrl,
            claims: oidc.claims,
            jwks: parseKeys(oidc.keys),
            jwks_uri: oidc.keysUrl,
            id_token_signed_response_alg: oidc.idTokenAlg,
            access_token_format: oidc.accessTokenFormat,
            rotate_refresh_tokens: oidc.rotateRefreshTokens,
            token_exchange: oidc.tokenExchange,
          },
        },
      }),
  };
}

function configOf({ name, configs }: AttributeForm) {
  const textOf = (type: string) => configs.find((config) => config.type === type)?.value;
  const format = textOf('Format');
  const transform = textOf('Transform');
  return { name, ...(format && { format }), ...(transform && { transform }) };
}

const flagsOf = ({ didEnabled, webAuthnEnabled, forceAuthnEnabled, desktopAppEnabled }: AppForm) => ({
  didEnabled,
  webAuthnEnabled,
  forceAuthnEnabled,
  desktopAppEnabled,
});

/** Returns the fields that determine which user data a SAML application receives. */
export const samlUserFieldsOf = (saml: NonNullable<AppForm['saml']>) => ({
  samlNameId: saml.samlNameId,
  samlNameIdFormat: saml.samlNameIdFormat,
  samlNameIdTransformationTemplate: saml.samlNameIdTransformationTemplate,
  samlAttributes: saml.attributes.map(({ name }) => name),
  samlAttributesConfig: saml.attributes.filter(({ configs }) => configs.length > 0).map(configOf),
});

function samlFields({ saml }: AppForm) {
  if (!saml) throw new Error('The form of a SAML application must have SAML fields.');
  return {
    redirectUrl: saml.redirectUrl,
    encryptAssertions: saml.encryptAssertions,
    ...samlUserFieldsOf(saml),
  };
}

/**
 * Builds the request body for updating a SAML application. Metadata can be 5 MiB, so it is included only if it
 * changed.
 */
export function samlUpdateBody(form: AppForm, changed: ChangedFields): SamlUpdateBody {
  const { didEnabled, webAuthnEnabled, forceAuthnEnabled, desktopAppEnabled } = changed;
  const areFlagsChanged = didEnabled || webAuthnEnabled || forceAuthnEnabled || desktopAppEnabled;
  const isMetadataChanged =
    typeof changed.saml === 'object' && changed.saml !== null && 'metadata' in changed.saml && changed.saml.metadata;
  return {
    ...changedOptions(form, changed),
    ...when(areFlagsChanged, { flags: flagsOf(form) }),
    ...(changed.saml ? samlFields(form) : {}),
    ...when(isMetadataChanged, { metadata: form.saml?.metadata }),
  };
}

/** Builds the request body for creating a SAML application. */
export function samlCreateBody(form: AppForm): SamlCreateBody {
  return {
    name: form.name,
    description: form.description,
    startUrl: form.startUrl,
    maxCookieLife: form.maxCookieMinutes * SECONDS_A_MINUTE,
    flags: flagsOf(form),
    metadata: form.saml?.metadata ?? '',
    ...samlFields(form),
  };
}
