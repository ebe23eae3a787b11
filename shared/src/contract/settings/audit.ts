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

/** One recorded change. */
export const auditEvent = z.object({
  id: z.string(),
  at: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  actor: z.object({
    kind: z.enum(AUDIT_ACTOR_KINDS),
    /** The actor's `suid`, if the actor is a member. */
    suid: z.string().nullable(),
    name: z.string(),
    /** The actor's sign-in method, e.g. `QID`, or '' if not signed in. */
    mode: z.string(),
    /** IP address of the request. '' for the portal itself, and for users without SESSION_MANAGEMENT. */
    ip: z.string(),
  }),
  object: z.object({
    type: z.enum(AUDIT_OBJECT_TYPES),
    id: z.string(),
    /** The object's name at the time of the change. */
    name: z.string(),
  }),
  /** `suid` of the affected member: the object itself, or the owner of a device, browser or session. */
  suid: z.string().nullable(),
  /**
   * Changed fields only. `before` is absent for a created object, `after` for a deleted object. Secrets are replaced
   * with `(changed)`.
   */
  changes: z.array(z.object({ field: z.string(), before: auditValue.optional(), after: auditValue.optional() })),
});
export type AuditEvent = z.output<typeof auditEvent>;

/** Cursor of the next page: the last event on this page. */
const auditKey = z.object({ id: z.string() });
const auditPage = z.object({ Items: z.array(auditEvent), LastEvaluatedKey: auditKey.nullable() });

const paging = {
  pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
  /** `LastEvaluatedKey` from the previous response, as JSON. */
  lastItem: text(500).optional(),
};

/** Period that starts at `from` (inclusive) and ends at `to` (exclusive). */
const span = { from: time.optional(), to: time.optional() };

/** Filters, all of which must match. */
const auditFilters = z.object({
  /**
   * Search term, matched against the actor's name, the object's name, the action and the address. Ignores case and
   * accents.
   */
  q: z
    .string()
    .trim()
    .overwrite(composed)
    .max(100, 'At most 100 characters')
    .refine((value) => [...value].length >= LIMITS.searchMinLength, `At least ${LIMITS.searchMinLength} characters`)
    .optional(),
  /** `suid` of the member who made the change. */
  actor: id.optional(),
  actorKind: z.enum(AUDIT_ACTOR_KINDS).optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  objectType: z.enum(AUDIT_OBJECT_TYPES).optional(),
  objectId: text(200).optional(),
  /** `suid` of the affected member. */
  suid: id.optional(),
  ...span,
});
export type AuditFilters = z.output<typeof auditFilters>;

export const listActivity = endpoint({
  method: 'GET',
  path: '/org/activity',
  area,
  access,
  summary: "List the organisation's changes, newest first, with keyset pagination",
  query: auditFilters.extend(paging),
  reply: auditPage,
});

/** Time zone in which a day starts and ends, e.g. `Europe/Berlin`. An unknown time zone counts as UTC. */
export const timeZone = text(64).default('UTC');

export const countActivityDays = endpoint({
  method: 'GET',
  path: '/org/activity/days',
  area,
  access,
  summary: "Count the organisation's changes by day, for the last 14 days, oldest first",
  query: auditFilters.omit({ q: true, from: true, to: true }).extend({ timeZone }),
  reply: z.object({
    days: z.array(
      z.object({
        /** Local day, e.g. `2026-11-28`. */
        day: z.string(),
        changes: z.number().int(),
      }),
    ),
  }),
});

export const exportActivity = endpoint({
  method: 'GET',
  path: '/org/activity/export',
  area,
  access,
  summary: 'Export the activity as a file, newest first, as CSV or one JSON object per line',
  query: auditFilters.extend({ format: z.enum(['csv', 'ndjson']).default('csv') }),
  reply: z.object({}),
  document: ['text/csv', 'application/x-ndjson'],
});

export const listMemberActivity = endpoint({
  method: 'GET',
  path: '/user/activity',
  area,
  summary: "List a member's changes, by default your own, newest first, with keyset pagination",
  access: { who: 'member', own: true, others: ['SEARCH_USER'] },
  query: z.object({ suid: id.optional(), primaryAttr: text(254).optional(), ...paging }),
  reply: auditPage,
});

export const listRoleActivity = endpoint({
  method: 'GET',
  path: '/org/role/:roleCode/activity',
  area,
  summary: "List a role's changes, newest first, with keyset pagination",
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
  summary: 'List the changes to an application and its secrets, newest first, with keyset pagination',
  params: z.object({ orgCode, appId: id }),
  query: z.object(paging),
  reply: auditPage,
});

/** A sign-in, successful or not, by one of the organisation's members. */
export const signInRecord = loginRecord.extend({
  suid: z.string(),
  primaryAttr: z.string(),
  /** The member's current name. */
  name: z.string(),
  email: z.string(),
  accountStatus,
  /** ID of the application, or '' for the portal itself. */
  appId: z.string(),
  /** Reason for the failure, e.g. `cancel`, or null. */
  reason: z.string().nullable(),
});
export type SignInRecord = z.output<typeof signInRecord>;

const signInTerms = {
  status: z.enum(['Success', 'Failed']).optional(),
  suid: id.optional(),
  mode: text(40).optional(),
  ip: text(64).optional(),
  reason: text(64).optional(),
};
const signInFilters = { ...signInTerms, ...span };
const signInPage = z.object({
  Items: z.array(signInRecord),
  /**
   * Cursor of the next page. A call examines a limited number of sign-ins, so with rare filters a page can be short
   * or empty even though more pages follow.
   */
  LastEvaluatedKey: z.object({ timestamp: z.string(), id: z.string() }).nullable(),
});

export const listSignIns = endpoint({
  method: 'GET',
  path: '/org/sign-ins',
  area,
  access,
  summary: "List all of the organisation's sign-ins, including failed ones, newest first, with keyset pagination",
  query: z.object({
    ...signInFilters,
    /** ID of the application, or `portal` for the portal itself. */
    appId: id.optional(),
    ...paging,
  }),
  reply: signInPage,
});

/** Sign-ins of a day. */
export const signInDay = z.object({
  /** Local day, e.g. `2026-11-28`. */
  day: z.string(),
  success: z.number().int(),
  failed: z.number().int(),
  /** Number of failed sign-ins that the member denied with “It wasn't me”. */
  notMe: z.number().int(),
});

export const countSignInDays = endpoint({
  method: 'GET',
  path: '/org/sign-ins/days',
  area,
  access,
  summary: "Count the organisation's sign-ins by day and outcome, for the last 14 days, oldest first",
  query: z.object({
    ...signInTerms,
    /** ID of the application, or `portal` for the portal itself. */
    appId: id.optional(),
    timeZone,
  }),
  reply: z.object({
    days: z.array(signInDay),
    /** True if a day has too many sign-ins to apply the filters to all of them. Its counts are then too low. */
    isPartial: z.boolean(),
  }),
});

export const listAppSignIns = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/sign-ins',
  area,
  access,
  summary: 'List all sign-ins to an application, including failed ones, newest first, with keyset pagination',
  params: z.object({ orgCode, appId: id }),
  query: z.object({ ...signInFilters, ...paging }),
  reply: signInPage,
});

/** A redirect URI that isn't registered for the application, and when a sign-in last asked for it. */
export const refusedRedirect = z.object({ redirectUri: z.string(), at: z.string() });
export type RefusedRedirect = z.output<typeof refusedRedirect>;

export const listRefusedRedirects = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/refused-redirects',
  area,
  access,
  summary: 'List the unregistered redirect URIs of refused sign-ins to an OIDC application, newest first',
  params: z.object({ orgCode, appId: id }),
  reply: z.object({
    /** At most three since the portal started. A redirect URI that has been registered since isn't listed. */
    refused: z.array(refusedRedirect),
  }),
});
