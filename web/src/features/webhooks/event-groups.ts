import { AUDIT_ACTIONS, type AuditAction, type AuditObjectType } from '@orchestrate/shared';

const GROUPS = [
  'People',
  'Devices and sign-ins',
  'Attacks and fraud',
  'Roles and groups',
  'Applications',
  'Settings',
  'FAQ',
  'Webhooks',
  'The portal itself',
] as const;

/** The heading under which a type's events can be chosen. */
const groupOf: Record<AuditObjectType, (typeof GROUPS)[number]> = {
  member: 'People',
  members: 'People',
  'activation-code': 'People',
  email: 'People',
  'external-identity': 'People',
  approval: 'Devices and sign-ins',
  device: 'Devices and sign-ins',
  browser: 'Devices and sign-ins',
  session: 'Devices and sign-ins',
  'sign-in': 'Devices and sign-ins',
  attack: 'Attacks and fraud',
  fraud: 'Attacks and fraud',
  role: 'Roles and groups',
  group: 'Roles and groups',
  application: 'Applications',
  'api-resource': 'Applications',
  'app-provisioning': 'Applications',
  'registration-token': 'Applications',
  branding: 'Settings',
  'session-settings': 'Settings',
  'portal-app': 'Settings',
  security: 'Settings',
  'mail-text': 'Settings',
  configuration: 'Settings',
  'scim-credentials': 'Settings',
  'scim-token': 'Settings',
  'scim-schema': 'Settings',
  'portal-oidc': 'Settings',
  'idp-certificate': 'Settings',
  'signing-key': 'Settings',
  'faq-category': 'FAQ',
  'faq-subcategory': 'FAQ',
  'faq-record': 'FAQ',
  webhook: 'Webhooks',
  lab: 'The portal itself',
  activity: 'The portal itself',
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
