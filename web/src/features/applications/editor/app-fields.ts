import { type EditedField, switchField, textField } from '../../../editing/three-way.ts';
import type { AppForm, AttributeForm } from './app-form.ts';

const urls = (label: string, name: 'callbackUrls' | 'logoutUrls'): EditedField<AppForm> => ({
  label,
  paths: [`oidc.${name}`],
  show: ({ oidc }) => oidc?.[name].map(({ value }) => value) ?? [],
});

const attributeLine = ({ name, configs }: AttributeForm) =>
  [name, ...configs.map(({ type, value }) => `${type.toLowerCase()} ${value}`)].join(', ');

/** The fields of the conflict dialog when two people edit an application at once, in the order of the tabs. */
export const appFields: EditedField<AppForm>[] = [
  textField('Name', 'name'),
  textField('Description', 'description'),
  textField('Start address', 'startUrl'),
  {
    label: 'Access',
    paths: ['users'],
    show: ({ users: { isRestricted, roles, people, groups } }) =>
      isRestricted
        ? [...roles, ...groups.map(({ displayName }) => displayName), ...people.map(({ name }) => name)]
        : 'Everybody',
  },
  switchField('Force authentication', 'forceAuthnEnabled'),
  switchField('Type code', 'didEnabled'),
  switchField('Passkeys', 'webAuthnEnabled'),
  switchField('Desktop app', 'desktopAppEnabled'),
  textField('Max cookie life', 'maxCookieMinutes', 'minutes'),
  urls('Callback URL', 'callbackUrls'),
  urls('Logout URL', 'logoutUrls'),
  textField('ID token lifetime', 'oidc.ttl_IdToken', 'seconds'),
  textField('Access token lifetime', 'oidc.ttl_AccessToken', 'seconds'),
  textField('Authorization code lifetime', 'oidc.ttl_AuthorizationCode', 'seconds'),
  textField('Refresh token lifetime', 'oidc.ttl_RefreshToken', 'seconds'),
  textField('Back-channel logout URL', 'oidc.backchannelLogoutUrl'),
  textField('Front-channel logout URL', 'oidc.frontchannelLogoutUrl'),
  textField('How people are asked', 'radius.method'),
  {
    label: 'Claims',
    paths: ['oidc.claims'],
    show: ({ oidc }) => oidc?.claims.map(({ name, value }) => `${name}: ${value}`) ?? [],
  },
  {
    label: 'Metadata of the service provider',
    paths: ['saml.metadata', 'saml.serviceProvider'],
    show: ({ saml }) => saml?.metadata ?? '',
  },
  textField('Redirect URL', 'saml.redirectUrl'),
  switchField('Encrypt assertions', 'saml.encryptAssertions'),
  textField('Name id', 'saml.samlNameId'),
  textField('Name id format', 'saml.samlNameIdFormat'),
  textField('Name id transformation template', 'saml.samlNameIdTransformationTemplate'),
  { label: 'Attributes', paths: ['saml.attributes'], show: ({ saml }) => saml?.attributes.map(attributeLine) ?? [] },
];
