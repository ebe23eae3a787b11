import { type Attribute, GROUP_ATTRIBUTES, GROUP_SCHEMA, USER_ATTRIBUTES, USER_SCHEMA } from './attributes.ts';
import { BULK_MAX_BYTES, BULK_MAX_OPERATIONS } from './bulk.ts';
import { ENTERPRISE, extensionsOf, type RegisteredExtension } from './extensions.ts';
import type { Json, JsonObject } from './json.ts';
import { listResponse, PAGE_MAX } from './queries/list-answer.ts';
import { notFound, ScimError } from './scim-error.ts';
import type { ScimRequest, ScimResponse, Scope } from './scope.ts';

/** Answers the discovery endpoints (RFC 7644 §4). Returns undefined for other endpoints. */
export function answerDiscovery(
  scope: Scope,
  endpoint: string,
  id: string | undefined,
  { method, query }: ScimRequest,
): ScimResponse | undefined {
  const documents = DOCUMENTS[endpoint]?.(scope.base, () => extensionsOf(scope.deps.db, scope.orgCode));
  if (!documents || method !== 'GET') return undefined;
  // Discovery endpoints don't support filters (RFC 7644 §4).
  if (query.has('filter')) throw new ScimError(403, "These resources can't be filtered. Remove the filter parameter.");
  if (!Array.isArray(documents)) return id === undefined ? { status: 200, body: documents } : undefined;
  if (id === undefined) return listResponse(documents, documents.length, { offset: 0, count: documents.length });
  const found = documents.find((document) => String(document.id).toLowerCase() === id.toLowerCase());
  if (!found) throw notFound(id);
  return { status: 200, body: found };
}

type Extensions = () => readonly RegisteredExtension[];

const DOCUMENTS: Record<string, (base: string, extensions: Extensions) => JsonObject | JsonObject[]> = {
  ServiceProviderConfig: serviceProviderConfig,
  ResourceTypes: resourceTypes,
  Schemas: schemas,
};

function serviceProviderConfig(base: string): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: BULK_MAX_OPERATIONS, maxPayloadSize: BULK_MAX_BYTES },
    filter: { supported: true, maxResults: PAGE_MAX },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'Bearer token created by an administrator under User Provisioning',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
      },
      {
        type: 'httpbasic',
        name: 'HTTP Basic',
        description: 'User name and password shown under User Provisioning',
        specUri: 'https://www.rfc-editor.org/info/rfc7617',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

function resourceTypes(base: string, extensions: Extensions): JsonObject[] {
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'];
  const meta = (id: string) => ({ resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` });
  return [
    {
      schemas,
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: "The organisation's members",
      schema: USER_SCHEMA,
      schemaExtensions: [ENTERPRISE, ...extensions()].map(({ urn }) => ({ schema: urn, required: false })),
      meta: meta('User'),
    },
    {
      schemas,
      id: 'Group',
      name: 'Group',
      endpoint: '/Groups',
      description: "The organisation's groups and roles",
      schema: GROUP_SCHEMA,
      meta: meta('Group'),
    },
  ];
}

const BUILT_IN: readonly RegisteredExtension[] = [
  {
    urn: USER_SCHEMA,
    name: 'User',
    description: 'A member of the organisation',
    attributes: USER_ATTRIBUTES,
  },
  {
    urn: GROUP_SCHEMA,
    name: 'Group',
    description: 'A group or role and its members',
    attributes: GROUP_ATTRIBUTES,
  },
  { ...ENTERPRISE, name: 'EnterpriseUser', description: "A member's employee data" },
];

function schemas(base: string, extensions: Extensions): JsonObject[] {
  return [...BUILT_IN, ...extensions()].map(({ urn, name, description, attributes }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: urn,
    name,
    description,
    attributes: attributes.map(documentOf),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${urn}` },
  }));
}

/** Returns an attribute's schema document (RFC 7643 §7). */
function documentOf({ canonicalValues, referenceTypes, subAttributes, isStrict: _, ...attribute }: Attribute): Json {
  return {
    ...attribute,
    ...(canonicalValues && { canonicalValues: [...canonicalValues] }),
    ...(referenceTypes && { referenceTypes: [...referenceTypes] }),
    ...(subAttributes && { subAttributes: subAttributes.map(documentOf) }),
  };
}
