import { t } from '@lingui/core/macro';
import type { AuditActorKind, AuditEvent } from '@orchestrate/shared';
import { wordsOf } from '../lib/format/attribute-label.ts';
import { capitalized } from '../lib/format/capitalized.ts';
import { loginModeLabel } from '../login-history/login-mode-label.ts';
import { optionText } from '../login-options/option-text.ts';
import { said } from '../words/said.ts';

const proper: Readonly<Record<string, string>> = { faq: 'FAQ', idp: 'IdP', oidc: 'OIDC', scim: 'SCIM' };

/** `scim-credentials` becomes 'SCIM credentials'. */
const words = (name: string) =>
  name
    .split('-')
    .map((word) => proper[word] ?? word)
    .join(' ');

/** What happened, for people: `client-secret.created` becomes 'Client secret created'. */
export function actionLabel(action: string): string {
  const [object = '', verb = ''] = action.split('.');
  return said(capitalized(`${words(object)} ${words(verb)}`.trim()));
}

/** The type of the object: `faq-record` becomes 'FAQ record'. */
export const objectTypeLabel = (type: string): string => said(capitalized(words(type)));

const options: Readonly<Record<string, { label: string }>> = optionText;
const acronyms = /\b(jwks|oidc|saml|ttl|ur[il]s?)\b/g;

/** A field of a change: `primaryEmail` becomes 'Primary email', and a login option has the name of its switch. */
export function fieldLabel(field: string): string {
  // Settings of one kind of application are recorded below its name.
  const name = field.replace(/^(client|provider)\./, '');
  return (
    options[name]?.label ??
    said(capitalized(wordsOf(name).replaceAll(acronyms, (word) => word.toUpperCase().replace(/^(UR[IL])S$/, '$1s'))))
  );
}

type AuditValue = AuditEvent['changes'][number]['before'];

/** A value before or after a change; '—' where there was none. */
export function valueText(value: AuditValue): string {
  if (value === undefined || value === null || value === '') return '—';
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.join(', ');
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

const modes: Readonly<Record<string, string>> = { device: t`Signature of the device`, SCIM: t`SCIM credentials` };

/** How the actor was signed in, for people. */
export const actorModeLabel = (mode: string): string => modes[mode] ?? loginModeLabel(mode);

/** Who did it, in one line: the name, or the kind of actor where it has no name. */
export const actorName = ({ kind, name }: Pick<AuditEvent['actor'], 'kind' | 'name'>): string =>
  name || actorKindLabels[kind];
