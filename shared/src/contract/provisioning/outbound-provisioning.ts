import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, optionalText, portalText, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { appAccess as access, appPath as params, webAddress } from '../applications/app-fields.ts';

const area = 'Applications' as const;

const serviceAddress = webAddress.regex(
  /^[^?]*$/,
  'This URL cannot have a query string, because paths are appended to it',
);
const serviceUser = optionalText(200).regex(/^[^:]*$/, 'User names cannot contain a colon');
/** A token or password, as sent in headers. */
export const serviceSecret = text(4_000).regex(/^[\x20-\x7e]+$/, 'Use only printable ASCII characters');

/** Settings for an application's SCIM service. */
export const provisioningSettings = z.object({
  /** Base URL that `/Users` is appended to. Must use https, or http on this machine. */
  url: secret(serviceAddress),
  /** How the portal authenticates to the service: with a bearer token, or with a user name and password. */
  authentication: z.enum(['bearer', 'basic']).default('bearer'),
  /** User name for `basic` authentication (RFC 7617 §2). */
  username: serviceUser.default(''),
  /** True while changes are sent. */
  enabled: z.boolean().default(true),
  /** How changes are sent: the whole person (RFC 7644 §3.5.1), or only the differences (§3.5.2). */
  changesBy: z.enum(['put', 'patch']).default('put'),
  /** What happens to people who can no longer use the application. */
  withoutAccess: z.enum(['deactivate', 'delete']).default('deactivate'),
  /** True to send people's managers, identified by the service's own IDs (RFC 7643 §4.3). */
  sendManagers: z.boolean().default(true),
  /** True to send a member's role as `roles`. */
  sendRoles: z.boolean().default(false),
  /** Attributes of registered schemas to send, e.g. `urn:example:hr:2.0:User:costCode`. */
  sendAttributes: z
    .array(text(300))
    .max(LIMITS.sentAttributes, `At most ${LIMITS.sentAttributes} attributes`)
    .default([]),
  /** True to send groups. Only members who can use the application are included (RFC 7643 §4.2). */
  sendGroups: z.boolean().default(false),
});

export const provisioningForm = provisioningSettings.extend({
  /** The token or password. If omitted, the current secret is kept, unless the URL changes. */
  secret: secret(serviceSecret).optional(),
});
export type ProvisioningForm = z.output<typeof provisioningForm>;

const provisioningCounts = z.object({
  current: z.number().int(),
  waiting: z.number().int(),
  failed: z.number().int(),
});

/** The SCIM service that an application's people and groups are sent to, with the service's current state. */
export const appProvisioning = z.object({
  url: secret(z.string()),
  authentication: z.enum(['bearer', 'basic']),
  username: z.string(),
  enabled: z.boolean(),
  changesBy: z.enum(['put', 'patch']),
  withoutAccess: z.enum(['deactivate', 'delete']),
  sendManagers: z.boolean(),
  sendRoles: z.boolean(),
  sendAttributes: z.array(z.string()),
  sendGroups: z.boolean(),
  createdAt: z.string(),
  /** Time at which the portal automatically stopped sending, or null. */
  stoppedAt: z.string().nullable(),
  /** Reason for stopping, as a sentence. */
  stopReason: z.string(),
  /** Time until which nothing is sent, because the service is busy or doesn't respond. */
  pausedUntil: z.string().nullable(),
  /** Number of people who are up to date at the service, waiting to be sent, or refused by the service. */
  people: provisioningCounts,
  /** The same counts for groups. */
  groups: provisioningCounts,
  /** Version for the `If-Match` header. */
  version: z.string(),
});
export type AppProvisioning = z.output<typeof appProvisioning>;

export const getAppProvisioning = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/provisioning',
  area,
  access,
  summary: "Get the SCIM service that an application's people are sent to; the secret is never returned",
  params,
  reply: z.object({
    provisioning: appProvisioning.nullable(),
    /** Attributes of registered schemas that can be sent, each with its schema's name. */
    attributes: z.array(z.object({ name: z.string(), schema: z.string() })),
  }),
  refuses: ['ORG_APP_MISSING'],
});

export const saveAppProvisioning = endpoint({
  method: 'PUT',
  path: '/orgs/:orgCode/apps/:appId/provisioning',
  area,
  access,
  versioned: 'app-provisioning',
  current: provisioningSettings,
  summary: "Set an application's SCIM service; while it is enabled, people who can use the application are sent to it",
  params,
  body: provisioningForm,
  reply: z.object({ provisioning: appProvisioning }),
  refuses: ['ORG_APP_MISSING'],
  events: ['app-provisioning.created', 'app-provisioning.updated'],
});

export const deleteAppProvisioning = endpoint({
  method: 'DELETE',
  path: '/orgs/:orgCode/apps/:appId/provisioning',
  area,
  access,
  unversioned: 'deletes',
  summary: "Remove an application's SCIM service; people at the service are not changed",
  params,
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING'],
  events: ['app-provisioning.deleted'],
});

/** One request of a test and its response. */
const provisioningCheck = z.object({
  /** Human-readable name, e.g. `Looks for a person who doesn't exist`. */
  name: portalText(z.string()),
  path: z.string(),
  /** HTTP status. null if there was no response. */
  status: z.number().int().nullable(),
  ok: z.boolean(),
  /** Problem or finding, as a sentence. */
  message: portalText(z.string()),
});
export type ProvisioningCheck = z.output<typeof provisioningCheck>;

export const testAppProvisioning = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/provisioning/test',
  area,
  access,
  unversioned: 'acts',
  summary:
    "Test a SCIM service with saved or unsaved settings: request its capabilities and a person who doesn't exist",
  params,
  body: provisioningForm,
  reply: z.object({ ok: z.boolean(), checks: z.array(provisioningCheck) }),
  refuses: ['ORG_APP_MISSING'],
  // A test doesn't modify any settings, so there is no audit event.
  events: [],
});

/** Previews the resource for a member or group. Previewing another member requires SEARCH_USER: INVALID_PERMISSIONS. */
export const previewAppProvisioning = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/provisioning/preview',
  area,
  access,
  summary:
    "Preview the resource that an application's SCIM service receives for a member or a group; by default for yourself",
  params,
  query: z.object({ suid: id.optional(), groupId: id.optional() }),
  /** `resource` is null if the person or group shouldn't exist at the service. */
  reply: z.object({ resource: z.record(z.string(), z.unknown()).nullable() }),
  refuses: ['ORG_APP_MISSING'],
});

export const sendAllProvisioning = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/provisioning/send-all',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send everyone again, changed or not; resumes sending if the portal had stopped it',
  params,
  body: z.object({}),
  reply: z.object({ provisioning: appProvisioning }),
  refuses: ['ORG_APP_MISSING'],
  // Sending doesn't change any data that users edit, so there is no audit event.
  events: [],
});

/** A delivery of a person or group, and its outcome. */
export const provisioningDelivery = z.object({
  id: z.string(),
  /** The person's `suid`. null for a group. */
  suid: z.string().nullable(),
  /** ID of the group. null for a person. */
  groupId: z.string().nullable(),
  name: z.string(),
  operation: z.enum(['create', 'adopt', 'update', 'activate', 'deactivate', 'delete']),
  status: z.enum(['delivered', 'failed', 'waiting']),
  attempts: z.number().int(),
  /** Start time of the last attempt. */
  at: z.string(),
  /** Time of the next attempt, or null. */
  nextAttemptAt: z.string().nullable(),
  /** The last attempt's error, as a sentence, or ''. */
  error: z.string(),
  /** Requests sent in the last attempt. */
  requests: z.array(
    z.object({
      method: z.string(),
      /** Path below the service's base URL. */
      path: z.string(),
      /** Request body as JSON, or ''. */
      body: z.string(),
      /** HTTP status. null if there was no response. */
      status: z.number().int().nullable(),
      /** Beginning of the response body. */
      answer: z.string(),
      /** Duration, in milliseconds. */
      durationMs: z.number().int(),
    }),
  ),
});
export type ProvisioningDelivery = z.output<typeof provisioningDelivery>;

export const listProvisioningDeliveries = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/provisioning/deliveries',
  area,
  access,
  summary: "List the deliveries to an application's SCIM service, newest first, with keyset pagination",
  params,
  query: z.object({
    status: z.enum(['delivered', 'failed', 'waiting']).optional(),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** `LastEvaluatedKey` from the previous response, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({ Items: z.array(provisioningDelivery), LastEvaluatedKey: z.object({ id: z.string() }).nullable() }),
  refuses: ['ORG_APP_MISSING'],
});

export const resendProvisionedPerson = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/provisioning/people/:suid/resend',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send one person again immediately, changed or not, and return the response',
  params: params.extend({ suid: id }),
  body: z.object({}),
  /** `delivery` is null if there was nothing to send, or if a delivery for this member is already in progress. */
  reply: z.object({ delivery: provisioningDelivery.nullable() }),
  refuses: ['ORG_APP_MISSING'],
  // Sending doesn't change any data that users edit, so there is no audit event.
  events: [],
});

export const resendProvisionedGroup = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/provisioning/groups/:groupId/resend',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send one group again immediately, changed or not, and return the response',
  params: params.extend({ groupId: id }),
  body: z.object({}),
  /** `delivery` is null if there was nothing to send, or if the group is already being sent. */
  reply: z.object({ delivery: provisioningDelivery.nullable() }),
  refuses: ['ORG_APP_MISSING'],
  // Sending doesn't change any data that users edit, so there is no audit event.
  events: [],
});
