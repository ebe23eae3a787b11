import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_ACTOR_KINDS, AUDIT_OBJECT_TYPES } from '../../audit-actions.ts';
import { endpoint } from '../../endpoint.ts';
import { id, orgCode, queryNumber, text, time } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { accountStatus, loginRecord } from '../models.ts';

const area = 'Activity' as const;
const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

const auditValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/** One change, as it was recorded with it. */
export const auditEvent = z.object({
  id: z.string(),
  at: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  actor: z.object({
    kind: z.enum(AUDIT_ACTOR_KINDS),
    /** The member, where a member did it. */
    suid: z.string().nullable(),
    name: z.string(),
    /** How the actor was signed in, e.g. `QID`; '' where nobody was. */
    mode: z.string(),
    /** The address it came from; '' for the portal itself, and for readers without SESSION_MANAGEMENT. */
    ip: z.string(),
  }),
  object: z.object({
    type: z.enum(AUDIT_OBJECT_TYPES),
    id: z.string(),
    /** Its name at that time. */
    name: z.string(),
  }),
  /** The member concerned: the object itself, or the owner of a device, browser or session. */
  suid: z.string().nullable(),
  /** Only what changed; a created thing has no `before`, a deleted one no `after`. Secrets are `(changed)`. */
  changes: z.array(z.object({ field: z.string(), before: auditValue.optional(), after: auditValue.optional() })),
});
export type AuditEvent = z.output<typeof auditEvent>;

/** Where the next page begins: the last event of this one. */
const auditKey = z.object({ id: z.string() });
const auditPage = z.object({ Items: z.array(auditEvent), LastEvaluatedKey: auditKey.nullable() });

const paging = {
  pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
  /** The previous answer's `LastEvaluatedKey`, as JSON. */
  lastItem: text(500).optional(),
};

/** From `from` to before `until`. */
const span = { from: time.optional(), to: time.optional() };

/** Conditions that must all hold. */
const auditFilters = z.object({
  /** Found in the names of actor and object, the action or the address; case and accents don't count. */
  q: z
    .string()
    .trim()
    .overwrite(composed)
    .max(100, 'At most 100 characters')
    .refine((value) => [...value].length >= LIMITS.searchMinLength, `At least ${LIMITS.searchMinLength} characters`)
    .optional(),
  /** The member who did it. */
  actor: id.optional(),
  actorKind: z.enum(AUDIT_ACTOR_KINDS).optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  objectType: z.enum(AUDIT_OBJECT_TYPES).optional(),
  objectId: text(200).optional(),
  /** The member concerned. */
  suid: id.optional(),
  ...span,
});
export type AuditFilters = z.output<typeof auditFilters>;

export const listActivity = endpoint({
  method: 'GET',
  path: '/org/activity',
  area,
  access,
  summary: 'What was changed in the organisation, newest first, keyset paged',
  query: auditFilters.extend(paging),
  reply: auditPage,
});

export const exportActivity = endpoint({
  method: 'GET',
  path: '/org/activity/export',
  area,
  access,
  summary: 'The activity as a file, newest first: CSV, or one JSON object per line',
  query: auditFilters.extend({ format: z.enum(['csv', 'ndjson']).default('csv') }),
  reply: z.object({}),
  document: ['text/csv', 'application/x-ndjson'],
});

export const listMemberActivity = endpoint({
  method: 'GET',
  path: '/user/activity',
  area,
  summary: "What was changed about a member, newest first, keyset paged; one's own without `suid`",
  access: { who: 'member', own: true, others: ['SEARCH_USER'] },
  query: z.object({ suid: id.optional(), primaryAttr: text(254).optional(), ...paging }),
  reply: auditPage,
});

export const listRoleActivity = endpoint({
  method: 'GET',
  path: '/org/role/:roleCode/activity',
  area,
  summary: 'What was changed about a role, newest first, keyset paged',
  access: { who: 'permission', permission: 'UPDATE_CUSTOM_ROLES' },
  params: z.object({ roleCode: id }),
  query: z.object(paging),
  reply: auditPage,
});

export const listAppActivity = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/activity',
  area,
  access,
  summary: 'What was changed about an application and its secrets, newest first, keyset paged',
  params: z.object({ orgCode, appId: id }),
  query: z.object(paging),
  reply: auditPage,
});

/** A sign-in of somebody in the organisation, failed ones too. */
export const signInRecord = loginRecord.extend({
  suid: z.string(),
  primaryAttr: z.string(),
  /** The person's present name. */
  name: z.string(),
  email: z.string(),
  accountStatus,
  /** '' for the portal itself. */
  appId: z.string(),
  /** Why it failed, e.g. `cancel`; null where it did not. */
  reason: z.string().nullable(),
});
export type SignInRecord = z.output<typeof signInRecord>;

const signInFilters = {
  status: z.enum(['Success', 'Failed']).optional(),
  suid: id.optional(),
  mode: text(40).optional(),
  ip: text(64).optional(),
  reason: text(64).optional(),
  ...span,
};
const signInPage = z.object({
  Items: z.array(signInRecord),
  /**
   * Where the next page begins. One call looks at a limited number of sign-ins, so with rare filters a page may be
   * short, or empty, and still have a next one.
   */
  LastEvaluatedKey: z.object({ timestamp: z.string(), id: z.string() }).nullable(),
});

export const listSignIns = endpoint({
  method: 'GET',
  path: '/org/sign-ins',
  area,
  access,
  summary: 'All sign-ins of the organisation with those that failed, newest first, keyset paged',
  query: z.object({
    ...signInFilters,
    /** The application; `portal` for the portal itself. */
    appId: id.optional(),
    ...paging,
  }),
  reply: signInPage,
});

export const listAppSignIns = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/sign-ins',
  area,
  access,
  summary: 'The sign-ins to an application with those that failed, newest first, keyset paged',
  params: z.object({ orgCode, appId: id }),
  query: z.object({ ...signInFilters, ...paging }),
  reply: signInPage,
});
