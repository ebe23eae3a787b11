import { t } from '@lingui/core/macro';
import { AUDIT_ACTIONS, type AuditAction, type AuditObjectType } from '@orchestrate/shared';

const GROUPS = [
  t`People`,
  t`Devices and sign-ins`,
  t`Attacks and fraud`,
  t`Roles and groups`,
  t`Applications`,
  t`Settings`,
  'FAQ',
  t`Webhooks`,
  t`The portal itself`,
] as const;

/** The heading under which a type's events can be chosen. */
const groupOf: Record<AuditObjectType, (typeof GROUPS)[number]> = {
  member: t`People`,
  members: t`People`,
  'activation-code': t`People`,
  email: t`People`,
  'external-identity': t`People`,
  approval: t`Devices and sign-ins`,
  device: t`Devices and sign-ins`,
  browser: t`Devices and sign-ins`,
  session: t`Devices and sign-ins`,
  'sign-in': t`Devices and sign-ins`,
  attack: t`Attacks and fraud`,
  fraud: t`Attacks and fraud`,
  role: t`Roles and groups`,
  group: t`Roles and groups`,
  application: t`Applications`,
  'api-resource': t`Applications`,
  'app-provisioning': t`Applications`,
  'registration-token': t`Applications`,
  branding: t`Settings`,
  'session-settings': t`Settings`,
  'portal-app': t`Settings`,
  security: t`Settings`,
  'mail-text': t`Settings`,
  'mail-language': t`Settings`,
  configuration: t`Settings`,
  'scim-credentials': t`Settings`,
  'scim-token': t`Settings`,
  'scim-schema': t`Settings`,
  'portal-oidc': t`Settings`,
  'idp-certificate': t`Settings`,
  'signing-key': t`Settings`,
  'faq-category': 'FAQ',
  'faq-subcategory': 'FAQ',
  'faq-record': 'FAQ',
  webhook: t`Webhooks`,
  lab: t`The portal itself`,
  activity: t`The portal itself`,
};

const isType = (type: string): type is AuditObjectType => type in groupOf;

function headingOf(action: AuditAction) {
  const [type = ''] = action.split('.');
  return isType(type) ? groupOf[type] : undefined;
}

/** All events, grouped under a few headings. */
export const eventGroups = GROUPS.map((label) => ({
  label,
  actions: AUDIT_ACTIONS.filter((action) => headingOf(action) === label),
}));
