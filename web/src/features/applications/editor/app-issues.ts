import type { FieldPath } from 'react-hook-form';
import type { AppForm } from './app-form.ts';

const PLAIN: Record<string, FieldPath<AppForm>> = {
  name: 'name',
  description: 'description',
  startUrl: 'startUrl',
  maxCookieLife: 'maxCookieMinutes',
  usableBy: 'users',
  'oidcConfiguration.clients.backchannel_logout_uri': 'oidc.backchannelLogoutUrl',
  'oidcConfiguration.clients.frontchannel_logout_uri': 'oidc.frontchannelLogoutUrl',
  'oidcConfiguration.clients.jwks_uri': 'oidc.keysUrl',
  'radiusConfiguration.method': 'radius.method',
  metadata: 'saml.metadata',
  redirectUrl: 'saml.redirectUrl',
  encryptAssertions: 'saml.encryptAssertions',
  samlNameId: 'saml.samlNameId',
  samlNameIdFormat: 'saml.samlNameIdFormat',
  samlNameIdTransformationTemplate: 'saml.samlNameIdTransformationTemplate',
  samlAttributes: 'saml.attributes',
};

/** Finds the form field for the format or transform of item `at` in `samlAttributesConfig`. */
function configField({ saml }: AppForm, at: number, kind: string): FieldPath<AppForm> | undefined {
  const attributes = saml?.attributes ?? [];
  const configured = attributes.filter(({ configs }) => configs.length > 0)[at];
  if (!configured) return undefined;
  const attribute = attributes.indexOf(configured);
  const row = configured.configs.findIndex(({ type }) => type.toLowerCase() === kind);
  return row < 0 ? `saml.attributes.${attribute}.name` : `saml.attributes.${attribute}.configs.${row}.value`;
}

/** Maps the API path in a validation error to a form field. Returns undefined if there is no such field. */
export function fieldOfIssue(path: string, form: AppForm): FieldPath<AppForm> | undefined {
  const plain = PLAIN[path];
  if (plain) return plain;
  if (path.startsWith('usableBy.')) return 'users';
  if (/^oidcConfiguration\.clients\.jwks(?:\.|$)/.test(path)) return 'oidc.keys';
  const [list, at = '', kind = ''] = path.replace('oidcConfiguration.clients.', '').split('.');
  const row = Number(at);
  if (!/^\d+$/.test(at)) return undefined;
  if (list === 'claims') return `oidc.claims.${row}.${kind === 'value' || kind === 'scope' ? kind : 'name'}`;
  if (list === 'redirect_uris') return `oidc.callbackUrls.${row}.value`;
  if (list === 'post_logout_redirect_uris') return `oidc.logoutUrls.${row}.value`;
  if (list === 'samlAttributes') return `saml.attributes.${row}.name`;
  return list === 'samlAttributesConfig' ? configField(form, row, kind) : undefined;
}
