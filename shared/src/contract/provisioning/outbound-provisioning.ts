import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, optionalText, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { appAccess as access, appPath as params, webAddress } from '../applications/app-fields.ts';

const area = 'Applications' as const;

const serviceAddress = webAddress.regex(/^[^?]*$/, 'This URL cannot have a query, because paths are appended to it');
const serviceUser = optionalText(200).regex(/^[^:]*$/, 'User names cannot contain a colon');
/** A token or a password, as headers carry it. */
export const serviceSecret = text(4_000).regex(/^[\x20-\x7e]+$/, 'Use only printable ASCII characters');

/** What an administrator sets of the SCIM service of an application. */
export const provisioningSettings = z.object({
  /** Where `/Users` begins: https, or http on this machine. */
  url: secret(serviceAddress),
  authentication: z.enum(['bearer', 'basic']).default('bearer'),
  /** For `basic` (RFC 7617 §2). */
  username: serviceUser.default(''),
  enabled: z.boolean().default(true),
  /** How a change is written: the whole person (RFC 7644 §3.5.1), or what is different (§3.5.2). */
  changesBy: z.enum(['put', 'patch']).default('put'),
  /** What becomes of people who may no longer use the application. */
  withoutAccess: z.enum(['deactivate', 'delete']).default('deactivate'),
  /** Whether people's managers are sent, by the service's own ids of them (RFC 7643 §4.3). */
  sendManagers: z.boolean().default(true),
  /** Whether the role of a person in the portal is sent as `roles`. */
  sendRoles: z.boolean().default(false),
  /** Attributes of registered schemas that are sent, such as `urn:example:hr:2.0:User:costCode`. */
  sendAttributes: z
    .array(text(300))
    .max(LIMITS.sentAttributes, `At most ${LIMITS.sentAttributes} attributes`)
    .default([]),
  /** Whether groups are sent, each with those of its members who may use the application (RFC 7643 §4.2). */
  sendGroups: z.boolean().default(false),
});

export const provisioningForm = provisioningSettings.extend({
  /** The token or the password; without it the present one stays, unless the address is another. */
  secret: secret(serviceSecret).optional(),
});
export type ProvisioningForm = z.output<typeof provisioningForm>;

const provisioningCounts = z.object({
  current: z.number().int(),
  waiting: z.number().int(),
  failed: z.number().int(),
});

/** To which SCIM service an application's people and groups are sent, and how that goes. */
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
  /** When the portal stopped sending by itself; null where it has not. */
  stoppedAt: z.string().nullable(),
  /** Why, in a sentence. */
  stopReason: z.string(),
  /** Nobody is sent before, because the service is busy or does not answer. */
  pausedUntil: z.string().nullable(),
  /** How many people the service has as they are, how many wait to be sent, and how many it has refused. */
  people: provisioningCounts,
  /** The same of groups. */
  groups: provisioningCounts,
  /** Its version, for `If-Match`. */
  version: z.string(),
});
export type AppProvisioning = z.output<typeof appProvisioning>;

export const getAppProvisioning = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/provisioning',
  area,
  access,
  summary: 'The SCIM service to which the people of an application are sent; its secret is never returned',
  params,
  reply: z.object({
    provisioning: appProvisioning.nullable(),
    /** What can be sent of registered schemas, each with the name of its schema. */
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
  summary: 'Set the SCIM service of an application; while it is enabled, people who may use the application are sent',
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
  summary: 'Forget the SCIM service of an application, and what it has; people stay there',
  params,
  reply: z.object({}),
  refuses: ['ORG_APP_MISSING'],
  events: ['app-provisioning.deleted'],
});

/** A request of a test, and what came back. */
const provisioningCheck = z.object({
  /** For people, e.g. `Looks for somebody who does not exist`. */
  name: z.string(),
  path: z.string(),
  /** HTTP status; null where nothing came back. */
  status: z.number().int().nullable(),
  ok: z.boolean(),
  /** What is wrong or what was found, in a sentence. */
  message: z.string(),
});
export type ProvisioningCheck = z.output<typeof provisioningCheck>;

export const testAppProvisioning = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/provisioning/test',
  area,
  access,
  unversioned: 'acts',
  summary:
    'Ask a SCIM service what it can do and for somebody who does not exist, with settings that need not be saved',
  params,
  body: provisioningForm,
  reply: z.object({ ok: z.boolean(), checks: z.array(provisioningCheck) }),
  refuses: ['ORG_APP_MISSING'],
  // It changes nothing.
  events: [],
});

/** For a member other than the caller, SEARCH_USER is needed too: INVALID_PERMISSIONS otherwise. */
export const previewAppProvisioning = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/provisioning/preview',
  area,
  access,
  summary: 'What the SCIM service of an application is sent about a member or a group; about the caller without either',
  params,
  query: z.object({ suid: id.optional(), groupId: id.optional() }),
  /** Null where the service should have nothing of it. */
  reply: z.object({ resource: z.record(z.string(), z.unknown()).nullable() }),
  refuses: ['ORG_APP_MISSING'],
});

export const sendAllProvisioning = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/provisioning/send-all',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send everyone again, changed or not; sending goes on where the portal has stopped it',
  params,
  body: z.object({}),
  reply: z.object({ provisioning: appProvisioning }),
  refuses: ['ORG_APP_MISSING'],
  // It changes nothing that anybody edits.
  events: [],
});

/** What was sent for a person or a group, and what became of it. */
export const provisioningDelivery = z.object({
  id: z.string(),
  /** Null for a group. */
  suid: z.string().nullable(),
  /** Null for a person. */
  groupId: z.string().nullable(),
  name: z.string(),
  operation: z.enum(['create', 'adopt', 'update', 'activate', 'deactivate', 'delete']),
  status: z.enum(['delivered', 'failed', 'waiting']),
  attempts: z.number().int(),
  /** When the last attempt began. */
  at: z.string(),
  /** When the next one is due; null where there will be none. */
  nextAttemptAt: z.string().nullable(),
  /** Why the last attempt failed, in a sentence; '' where it did not. */
  error: z.string(),
  /** Those of the last attempt. */
  requests: z.array(
    z.object({
      method: z.string(),
      /** Below the service's address. */
      path: z.string(),
      /** JSON; '' where there was none. */
      body: z.string(),
      /** HTTP status; null where nothing came back. */
      status: z.number().int().nullable(),
      /** The beginning of the answer. */
      answer: z.string(),
      /** Milliseconds. */
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
  summary: 'What was sent to the SCIM service of an application, newest first, keyset paged',
  params,
  query: z.object({
    status: z.enum(['delivered', 'failed', 'waiting']).optional(),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous answer's `LastEvaluatedKey`, as JSON. */
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
  summary: 'Send one person again at once, changed or not, and say what came back',
  params: params.extend({ suid: id }),
  body: z.object({}),
  /** Null where there was nothing to send, or the person is on the way already. */
  reply: z.object({ delivery: provisioningDelivery.nullable() }),
  refuses: ['ORG_APP_MISSING'],
  // It changes nothing that anybody edits.
  events: [],
});

export const resendProvisionedGroup = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/provisioning/groups/:groupId/resend',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send one group again at once, changed or not, and say what came back',
  params: params.extend({ groupId: id }),
  body: z.object({}),
  /** Null where there was nothing to send, or the group is on the way already. */
  reply: z.object({ delivery: provisioningDelivery.nullable() }),
  refuses: ['ORG_APP_MISSING'],
  // It changes nothing that anybody edits.
  events: [],
});
