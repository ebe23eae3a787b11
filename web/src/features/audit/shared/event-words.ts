import { plural, t } from '@lingui/core/macro';
import { type AuditActorKind, type AuditEvent, LANGUAGES, PERMISSIONS, permissionLabel } from '@orchestrate/shared';
import { LANGUAGE_NAMES } from '#features/mails/shared/mail-titles.ts';
import { OPTION_TEXTS } from '#features/settings/shared/login-options.ts';
import { signInModeLabel } from '#features/sign-ins/shared/login-mode-label.ts';
import { wordsOf } from '#lib/format/labels.ts';
import { capitalize } from '#lib/format/text.ts';
import { answerText } from '#ui/text/rich-text/text-in-html.ts';
import { translateShared } from '#words/words.ts';
import { ACTION_LABELS, FIELD_LABELS, OBJECT_NAMES, OBJECT_TYPE_LABELS } from './event-labels.ts';

const actionLabels: Readonly<Record<string, string>> = ACTION_LABELS;
const objectTypeLabels: Readonly<Record<string, string>> = OBJECT_TYPE_LABELS;

/** Returns an action's label, e.g. 'Client secret created' for `client-secret.created`. */
export const actionLabel = (action: string): string => actionLabels[action] ?? action;

/** Returns an object type's label, e.g. 'FAQ question' for `faq-record`. */
export const objectTypeLabel = (type: string): string => objectTypeLabels[type] ?? type;

/** Object types that exist once per organisation and are named by the portal. */
const NAMED_BY_PORTAL: ReadonlySet<string> = new Set([
  'activity',
  'attack',
  'branding',
  'configuration',
  'idp-certificate',
  'lab',
  'security',
  'session-settings',
]);

/** Returns the object's display name, or '' if it has none. */
export const objectName = ({ type, name }: Pick<AuditEvent['object'], 'type' | 'name'>): string =>
  (NAMED_BY_PORTAL.has(type) ? OBJECT_NAMES[name] : undefined) ?? name;

/** Fields that name what a lab action was about, most telling first. */
const LAB_TARGETS = ['email', 'name', 'as', 'to', 'url', 'seed'];

/** Returns the name of what an event is about, or '' if it has none. Lab actions name it in their details. */
export function targetName({ object, changes }: Pick<AuditEvent, 'object' | 'changes'>): string {
  if (object.type !== 'lab') return objectName(object);
  const target = LAB_TARGETS.map((name) => changes.find(({ field }) => field === name)?.after).find(Boolean);
  return typeof target === 'string' ? target : '';
}

const options: Readonly<Record<string, { label: string }>> = OPTION_TEXTS;
/** Labels for fields whose name on screen differs from the API. */
const fieldNames: Readonly<Record<string, string>> = {
  color: t`Colour`,
  redirectUris: t`Callback URLs`,
  postLogoutRedirectUris: t`Logout URLs`,
  ttlIdToken: t`ID token lifetime`,
  ttlAccessToken: t`Access token lifetime`,
  ttlAuthorizationCode: t`Authorization code lifetime`,
  ttlRefreshToken: t`Refresh token lifetime`,
};
const acronyms = /\b(jwks|oidc|saml|ttl|ur[il]s?)\b/g;

/** Returns a changed field's name on screen. For example, `primaryEmail` becomes 'Primary email'. */
export function fieldLabel(field: string): string {
  // The audit trail prefixes fields that exist for only one type of application.
  const name = field.replace(/^(client|provider)\./, '');
  return (
    options[name]?.label ??
    fieldNames[name] ??
    FIELD_LABELS[name] ??
    capitalize(wordsOf(name).replaceAll(acronyms, (word) => word.toUpperCase().replace(/^(UR[IL])S$/, '$1s')))
  );
}

type AuditValue = AuditEvent['changes'][number]['before'];

/** The field that contains a value, and the type of the changed object. */
export interface ValueOf {
  field: string;
  type: string;
}

/** Formats a value before or after a change, with a unit for numbers. Returns '–' if there is no value. */
export function valueText(value: AuditValue, of: ValueOf): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'number') return numberText(value, of);
  if (of.field === 'permissions' && Array.isArray(value))
    return valueText(value.map(permissionText), { ...of, field: '' });
  if (of.type === 'faq-record' && of.field === 'answer') return answerText(String(value));
  if (of.type === 'mail-language') return languageText(String(value));
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ');
  return String(value);
}

const languageText = (code: string): string => {
  const language = LANGUAGES.find((known) => known === code);
  return language ? LANGUAGE_NAMES[language] : code;
};

const permissionText = (name: string): string => {
  const known = PERMISSIONS.find((permission) => permission === name);
  return known ? translateShared(permissionLabel(known)) : name;
};

/** Formats a number with its unit. Organisation lifetimes are in minutes, application lifetimes in seconds. */
function numberText(value: number, { field, type }: ValueOf): string {
  const isCookie = field === 'maxCookieLife';
  if (field === 'sessionTimeout' || (isCookie && type === 'session-settings'))
    return plural(value, { one: '# minute', other: '# minutes' });
  if (isCookie || field.startsWith('client.ttl')) return plural(value, { one: '# second', other: '# seconds' });
  return String(value);
}

export const actorKindLabels: Readonly<Record<AuditActorKind, string>> = {
  member: t`Member`,
  directory: t`Directory`,
  provider: t`Identity provider`,
  client: t`Application`,
  device: t`Device`,
  visitor: t`Not signed in`,
  lab: t`Lab`,
  system: t`Portal`,
};

const modes: Readonly<Record<string, string>> = { device: t`Device signature`, SCIM: t`SCIM credentials` };

/** Returns the display name of the actor's sign-in method. */
export const actorModeLabel = (mode: string): string => modes[mode] ?? signInModeLabel(mode);

/** Returns the actor's name, or the actor's kind if it has no name. */
export const actorName = ({ kind, name }: Pick<AuditEvent['actor'], 'kind' | 'name'>): string =>
  name || actorKindLabels[kind];
