import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, nameText, text } from '../../fields.ts';
import { appAccess as access } from './app-fields.ts';

const area = 'Applications' as const;
const params = z.object({ resourceId: id });

export const API_RESOURCES_MAX = 100;
export const API_SCOPES_MAX = 50;

/**
 * Identifier of an API: the value of `resource` and the audience of the API's tokens (RFC 8707 §2: absolute, no
 * fragment).
 */
export const resourceIdentifier = text(500)
  .regex(/^[A-Za-z][A-Za-z0-9+.-]*:[^\s#]+$/, 'Enter an absolute URL without #, such as https://api.example.com')
  .refine((address) => URL.canParse(address), 'Enter an absolute URL without #, such as https://api.example.com');

/** Scope syntax from RFC 6749 §3.3, excluding the OpenID Connect scopes. */
const scopeToken = text(100)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, 'Scopes cannot contain spaces, quotes or backslashes')
  .refine((scope) => scope !== 'openid' && scope !== 'offline_access', 'This scope is reserved for OpenID Connect');

const scopes = z
  .array(scopeToken)
  .max(API_SCOPES_MAX, `You can add at most ${API_SCOPES_MAX} scopes`)
  .refine((all) => new Set(all).size === all.length, 'Each scope can be listed only once');

export const apiResourceForm = z.object({ name: nameText(100), scopes: scopes.default([]) });
export type ApiResourceForm = z.output<typeof apiResourceForm>;

/**
 * An API of the organisation. Applications obtain access tokens for it, which the API can validate on its own (RFC
 * 9068).
 */
export const apiResource = z.object({
  resourceId: z.string(),
  identifier: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  /** Version to send in `If-Match`. */
  version: z.string(),
});
export type ApiResource = z.output<typeof apiResource>;

export const listApiResources = endpoint({
  method: 'GET',
  path: '/org/api-resources',
  area,
  access,
  summary: 'List the APIs that applications can request access tokens for',
  reply: z.object({ resources: z.array(apiResource) }),
});

export const createApiResource = endpoint({
  method: 'POST',
  path: '/org/api-resources',
  area,
  access,
  unversioned: 'creates',
  summary: "Add an API with its identifier, which becomes the audience of its tokens and can't be changed",
  body: apiResourceForm.extend({ identifier: resourceIdentifier }),
  reply: z.object({ resource: apiResource }),
  events: ['api-resource.created'],
});

export const updateApiResource = endpoint({
  method: 'PUT',
  path: '/org/api-resources/:resourceId',
  area,
  access,
  versioned: 'api-resource',
  current: z.object({ name: z.string(), scopes: z.array(z.string()) }),
  summary: 'Change the name or scopes of an API; existing tokens keep their scopes',
  params,
  body: apiResourceForm,
  reply: z.object({ resource: apiResource }),
  events: ['api-resource.updated'],
});

export const deleteApiResource = endpoint({
  method: 'DELETE',
  path: '/org/api-resources/:resourceId',
  area,
  access,
  unversioned: 'deletes',
  summary: 'Delete an API; applications can no longer obtain tokens for it',
  params,
  reply: z.object({}),
  events: ['api-resource.deleted'],
});
