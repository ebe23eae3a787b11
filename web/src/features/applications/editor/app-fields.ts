import { t } from '@lingui/core/macro';
import type { ServiceProvider } from '@orchestrate/shared';
import { formatDateTime } from '#lib/format/dates.ts';
import { type EditedField, switchField, textField } from '#ui/editing/three-way.ts';
import type { AppForm, AttributeForm } from './app-form.ts';

const urls = (label: string, name: 'callbackUrls' | 'logoutUrls'): EditedField<AppForm> => ({
  label,
  paths: [`oidc.${name}`],
  show: ({ oidc }) => oidc?.[name].map(({ value }) => value) ?? [],
});

const attributeLine = ({ name, configs }: AttributeForm) =>
  [name, ...configs.map(({ type, value }) => `${type.toLowerCase()} ${value}`)].join(', ');

/** Addresses and certificates that tell two service providers apart. */
const providerLines = (provider: ServiceProvider): string[] => [
  `${t`Entity ID`}: ${provider.entityId}`,
  ...provider.assertionConsumerServices.map(({ location }) => `${t`Sign-in address`}: ${location}`),
  ...provider.singleLogoutServices.map(({ location }) => `${t`Sign-out address`}: ${location}`),
  ...provider.certificates.map(
    ({ subject, notAfter, fingerprint }) =>
      t`Certificate: ${subject}, valid until ${formatDateTime(notAfter)}, SHA-256 ${fingerprint}`,
  ),
];

/** Fields listed in the conflict dialog when two people edit an application at the same time, in tab order. */
export const appFields: EditedField<AppForm>[] = [
  textField(t`Name`, 'name'),
  textField(t`Description`, 'description'),
  textField(t`Start address`, 'startUrl'),
  {
    label: t`Access`,
    paths: ['users'],
    show: ({ users: { isRestricted, roles, people, groups } }) =>
      isRestricted
        ? [...roles, ...groups.map(({ displayName }) => displayName), ...people.map(({ name }) => name)]
        : t`Everyone`,
  },
  switchField(t`Force authentication`, 'forceAuthnEnabled'),
  switchField(t`Type code`, 'didEnabled'),
  switchField(t`Passkeys`, 'webAuthnEnabled'),
  switchField(t`Desktop app`, 'desktopAppEnabled'),
  textField(t`Max cookie life`, 'maxCookieMinutes', 'minutes'),
  urls(t`Callback URL`, 'callbackUrls'),
  urls(t`Logout URL`, 'logoutUrls'),
  textField(t`ID token lifetime`, 'oidc.ttl_IdToken', 'seconds'),
  textField(t`Access token lifetime`, 'oidc.ttl_AccessToken', 'seconds'),
  textField(t`Authorization code lifetime`, 'oidc.ttl_AuthorizationCode', 'seconds'),
  textField(t`Refresh token lifetime`, 'oidc.ttl_RefreshToken', 'seconds'),
  textField(t`Back-channel logout URL`, 'oidc.backchannelLogoutUrl'),
  textField(t`Front-channel logout URL`, 'oidc.frontchannelLogoutUrl'),
  textField(t`Public keys`, 'oidc.keys'),
  textField(t`Key set URL`, 'oidc.keysUrl'),
  textField(t`ID token signature algorithm`, 'oidc.idTokenAlg'),
  textField(t`Access token format`, 'oidc.accessTokenFormat'),
  textField(t`Approval method`, 'radius.method'),
  {
    label: t`Claims`,
    paths: ['oidc.claims'],
    show: ({ oidc }) => oidc?.claims.map(({ name, value }) => `${name}: ${value}`) ?? [],
  },
  {
    label: t`Service provider metadata`,
    paths: ['saml.metadata', 'saml.serviceProvider'],
    show: ({ saml }) => (saml?.serviceProvider ? providerLines(saml.serviceProvider) : (saml?.metadata ?? '')),
  },
  textField(t`Redirect URL`, 'saml.redirectUrl'),
  switchField(t`Encrypt assertions`, 'saml.encryptAssertions'),
  textField(t`Name ID`, 'saml.samlNameId'),
  textField(t`Name ID format`, 'saml.samlNameIdFormat'),
  textField(t`Name ID transformation template`, 'saml.samlNameIdTransformationTemplate'),
  { label: t`Attributes`, paths: ['saml.attributes'], show: ({ saml }) => saml?.attributes.map(attributeLine) ?? [] },
];
