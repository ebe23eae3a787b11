/**
 * Actions in the audit trail and in webhooks, as `object.verb`. The part before the dot is the object type. Names are
 * never removed, because old events keep their names.
 */
export const AUDIT_ACTIONS = [
  // Members
  'member.invited',
  'member.invitation-withdrawn',
  'member.signed-up',
  'member.created',
  'member.updated',
  'member.paused',
  'member.unpaused',
  'member.deleted',
  'member.verified',
  'member.activated',
  'members.upload-began',
  'members.invited',
  'activation-code.issued',
  'activation-code.mailed',
  'email.change-requested',
  'email.change-cancelled',
  'email.changed',
  'email.code-sent',
  'email.verified',
  'external-identity.linked',
  'external-identity.unlinked',
  'external-identity.approval-requested',
  'approval.requested',
  // Devices, browsers and sessions
  'device.registered',
  'device.activated',
  'device.confirmed',
  'device.renamed',
  'device.paused',
  'device.unpaused',
  'device.deleted',
  'device.lost',
  'browser.forgotten',
  'session.ended',
  'sign-in.disowned',
  // The organisation
  'branding.updated',
  'session-settings.updated',
  'portal-app.updated',
  'security.updated',
  'mail-text.updated',
  'mail-text.tried',
  'mail-language.updated',
  'configuration.imported',
  'scim-credentials.renewed',
  'scim-token.created',
  'scim-token.revoked',
  'scim-schema.created',
  'scim-schema.updated',
  'scim-schema.deleted',
  'portal-oidc.updated',
  'idp-certificate.added',
  'idp-certificate.deleted',
  'signing-key.added',
  'signing-key.deleted',
  'faq-category.created',
  'faq-category.updated',
  'faq-category.deleted',
  'faq-subcategory.created',
  'faq-subcategory.updated',
  'faq-subcategory.deleted',
  'faq-record.created',
  'faq-record.updated',
  'faq-record.deleted',
  // Roles, groups and applications
  'role.created',
  'role.updated',
  'role.deleted',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.member-added',
  'group.member-removed',
  'application.created',
  'application.updated',
  'application.deleted',
  'application.secret-added',
  'application.secret-deleted',
  'application.secret-rotated',
  'app-provisioning.created',
  'app-provisioning.updated',
  'app-provisioning.deleted',
  'app-provisioning.stopped',
  // APIs, registration tokens and webhooks
  'api-resource.created',
  'api-resource.updated',
  'api-resource.deleted',
  'registration-token.created',
  'registration-token.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret-rotated',
  'webhook.disabled',
  // Possible attacks
  'attack.activation-guessing',
  'fraud.reported',
  // The lab and the system
  'lab.reset',
  'lab.clock-set',
  'lab.fault-added',
  'lab.faults-cleared',
  'lab.policy-set',
  'lab.policies-cleared',
  'lab.phone-answered',
  'lab.person-made',
  'lab.session-made',
  'lab.tokens-issued',
  'lab.provisioning-replayed',
  'lab.journal-emptied',
  'lab.socket-fault-added',
  'lab.socket-faults-cleared',
  'lab.snapshot-taken',
  'lab.snapshot-restored',
  'lab.snapshot-dropped',
  'lab.space-started',
  'lab.space-ended',
  'lab.outbox-emptied',
  'lab.outbox-fault-added',
  'lab.outbox-faults-cleared',
  'lab.webhook-fault-added',
  'lab.webhook-faults-cleared',
  'lab.delivery-forged',
  'activity.forgotten',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The type of an action's object, e.g. `member`. */
export type AuditObjectType = AuditAction extends infer Action
  ? Action extends `${infer Type}.${string}`
    ? Type
    : never
  : never;

const typeOf = (action: AuditAction): AuditObjectType => action.slice(0, action.indexOf('.')) as AuditObjectType;

/** Object types, in the order of the actions. */
export const AUDIT_OBJECT_TYPES = [...new Set(AUDIT_ACTIONS.map(typeOf))] as [AuditObjectType, ...AuditObjectType[]];

/**
 * Kinds of actors: signed-in members, directories, external providers, devices, visitors, the lab, and the portal
 * itself.
 */
export const AUDIT_ACTOR_KINDS = [
  'member',
  'directory',
  'provider',
  'client',
  'device',
  'visitor',
  'lab',
  'system',
] as const;
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number];

/** A value before or after a change. */
export type AuditValue = string | number | boolean | null | readonly string[];

/** Placeholder for the value of a secret. */
export const AUDIT_CHANGED = '(changed)';
