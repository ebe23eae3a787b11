import type { AuditActorKind, AuditEvent } from '@orchestrate/shared';
import { attributeLabel } from '../lib/format/attribute-label.ts';
import { loginModeLabel } from '../login-history/login-mode-label.ts';

const proper: Readonly<Record<string, string>> = { faq: 'FAQ', idp: 'IdP', oidc: 'OIDC', scim: 'SCIM' };

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `scim-credentials` becomes 'SCIM credentials'. */
const words = (name: string) =>
  name
    .split('-')
    .map((word) => proper[word] ?? word)
    .join(' ');

/** What happened, for people: `client-secret.created` becomes 'Client secret created'. */
export function actionLabel(action: string): string {
  const [object = '', verb = ''] = action.split('.');
  return capital(`${words(object)} ${words(verb)}`.trim());
}

/** The type of the object: `faq-record` becomes 'FAQ record'. */
export const objectTypeLabel = (type: string): string => capital(words(type));

/** A field of a change: `primaryEmail` becomes 'Primary email'. */
export const fieldLabel = (field: string): string => capital(attributeLabel(field));

type AuditValue = AuditEvent['changes'][number]['before'];

/** A value before or after a change; '—' where there was none. */
export function valueText(value: AuditValue): string {
  if (value === undefined || value === null || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.join(', ');
  return String(value);
}

export const actorKindLabels: Readonly<Record<AuditActorKind, string>> = {
  member: 'Member',
  directory: 'Directory',
  provider: 'Identity provider',
  client: 'Application',
  device: 'Device',
  visitor: 'Not signed in',
  lab: 'Lab',
  system: 'Portal',
};

const modes: Readonly<Record<string, string>> = { device: 'Signature of the device', SCIM: 'SCIM credentials' };

/** How the actor was signed in, for people. */
export const actorModeLabel = (mode: string): string => modes[mode] ?? loginModeLabel(mode);

/** Who did it, in one line: the name, or the kind of actor where it has no name. */
export const actorName = ({ kind, name }: Pick<AuditEvent['actor'], 'kind' | 'name'>): string =>
  name || actorKindLabels[kind];
