import type { createSamlApp, InputOf, updateApp, updateSamlApp } from '@orchestrate/shared';
import { isEqual } from '../../editing/three-way.ts';
import type { AppForm, AttributeForm } from './app-form.ts';

type UpdateBody = NonNullable<InputOf<typeof updateApp>['body']>;
type SamlUpdateBody = NonNullable<InputOf<typeof updateSamlApp>['body']>;
type SamlCreateBody = Omit<NonNullable<InputOf<typeof createSamlApp>['body']>, 'orgCode' | 'appId'>;

/** Which parts of a form were changed: a part that was not is absent. */
export type Changed = { [Part in keyof AppForm]?: unknown };

/** What is to be sent so that what was `base` becomes `form`. */
export function changedFrom(base: AppForm, form: AppForm): Changed {
  const parts = (Object.keys(form) as (keyof AppForm)[]).filter((part) => !isEqual(form[part], base[part]));
  const changed: Changed = Object.fromEntries(parts.map((part) => [part, true]));
  const isOtherMetadata = form.saml?.metadata !== base.saml?.metadata;
  return changed.saml ? { ...changed, saml: { metadata: isOtherMetadata } } : changed;
}

const SECONDS_A_MINUTE = 60;

/** A changed part alone; so that nobody overwrites what a colleague has saved meanwhile beside it. */
const when = <Value extends object>(isChanged: unknown, value: Value): Partial<Value> => (isChanged ? value : {});

function changedOptions(form: AppForm, changed: Changed) {
  return {
    ...when(changed.name, { name: form.name }),
    ...when(changed.description, { description: form.description }),
    ...when(changed.maxCookieMinutes, { maxCookieLife: form.maxCookieMinutes * SECONDS_A_MINUTE }),
  };
}

/** What a change of an application sends, SAML excepted. */
export function updateBody(form: AppForm, changed: Changed): UpdateBody {
  const { oidc } = form;
  return {
    ...changedOptions(form, changed),
    ...when(changed.didEnabled, { didEnabled: form.didEnabled }),
    ...when(changed.webAuthnEnabled, { webAuthnEnabled: form.webAuthnEnabled }),
    ...when(changed.desktopAppEnabled, { desktopAppEnabled: form.desktopAppEnabled }),
    ...when(changed.forceAuthnEnabled, { forceAuthnEnabled: form.forceAuthnEnabled }),
    ...(oidc &&
      Boolean(changed.oidc) && {
        oidcConfiguration: {
          clients: {
            redirect_uris: oidc.callbackUrls.map(({ value }) => value),
            post_logout_redirect_uris: oidc.logoutUrls.map(({ value }) => value),
            ttl_IdToken: oidc.ttl_IdToken,
            ttl_AccessToken: oidc.ttl_AccessToken,
            ttl_AuthorizationCode: oidc.ttl_AuthorizationCode,
            ttl_RefreshToken: oidc.ttl_RefreshToken,
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

function samlFields({ saml }: AppForm) {
  if (!saml) throw new Error('This is not the form of a SAML application.');
  return {
    redirectUrl: saml.redirectUrl,
    samlNameId: saml.samlNameId,
    samlNameIdFormat: saml.samlNameIdFormat,
    samlNameIdTransformationTemplate: saml.samlNameIdTransformationTemplate,
    samlAttributes: saml.attributes.map(({ name }) => name),
    samlAttributesConfig: saml.attributes.filter(({ configs }) => configs.length > 0).map(configOf),
  };
}

/** What a change of a SAML application sends; its metadata, up to 5 MiB, only where they are others. */
export function samlUpdateBody(form: AppForm, changed: Changed): SamlUpdateBody {
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

/** What a new SAML application sends. */
export function samlCreateBody(form: AppForm): SamlCreateBody {
  return {
    name: form.name,
    description: form.description,
    maxCookieLife: form.maxCookieMinutes * SECONDS_A_MINUTE,
    flags: flagsOf(form),
    metadata: form.saml?.metadata ?? '',
    ...samlFields(form),
  };
}
