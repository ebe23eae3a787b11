import {
  type Attribute,
  ENTERPRISE_ATTRIBUTES,
  ENTERPRISE_SCHEMA,
  GROUP_ATTRIBUTES,
  GROUP_SCHEMA,
  USER_ATTRIBUTES,
  USER_SCHEMA,
} from './attributes.ts';
import { BULK_MAX_BYTES, BULK_MAX_OPERATIONS } from './bulk.ts';
import type { Json, JsonObject } from './json.ts';
import { listAnswer, PAGE_MAX } from './queries/list-answer.ts';
import { notFound, ScimError } from './scim-error.ts';
import type { ScimAnswer, ScimRequest, Scope } from './scope.ts';

/** The capabilities of the service (RFC 7644 §4); undefined for other endpoints. */
export function answerDiscovery(
  { base }: Scope,
  endpoint: string,
  id: string | undefined,
  { method, query }: ScimRequest,
): ScimAnswer | undefined {
  const documents = DOCUMENTS[endpoint]?.(base);
  if (!documents || method !== 'GET') return undefined;
  // RFC 7644 §4: these cannot be filtered.
  if (query.has('filter')) throw new ScimError(403, 'These resources cannot be filtered.');
  if (!Array.isArray(documents)) return id === undefined ? { status: 200, body: documents } : undefined;
  if (id === undefined) return listAnswer(documents, documents.length, { offset: 0, count: documents.length });
  const found = documents.find((document) => String(document.id).toLowerCase() === id.toLowerCase());
  if (!found) throw notFound(id);
  return { status: 200, body: found };
}

const DOCUMENTS: Record<string, (base: string) => JsonObject | JsonObject[]> = {
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
        description: 'A token that an administrator has made under User Provisioning',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
      },
      {
        type: 'httpbasic',
        name: 'HTTP Basic',
        description: 'The user name and password that the portal shows under User Provisioning',
        specUri: 'https://www.rfc-editor.org/info/rfc7617',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

function resourceTypes(base: string): JsonObject[] {
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'];
  const meta = (id: string) => ({ resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` });
  return [
    {
      schemas,
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'The members of the organisation',
      schema: USER_SCHEMA,
      schemaExtensions: [{ schema: ENTERPRISE_SCHEMA, required: false }],
      meta: meta('User'),
    },
    {
      schemas,
      id: 'Group',
      name: 'Group',
      endpoint: '/Groups',
      description: 'The groups of the organisation, and its roles',
      schema: GROUP_SCHEMA,
      meta: meta('Group'),
    },
  ];
}

function schemas(base: string): JsonObject[] {
  const listed = [
    [USER_SCHEMA, 'User', 'A member of the organisation', USER_ATTRIBUTES],
    [GROUP_SCHEMA, 'Group', 'A group or a role, and who is in it', GROUP_ATTRIBUTES],
    [ENTERPRISE_SCHEMA, 'EnterpriseUser', 'A member as an employee', ENTERPRISE_ATTRIBUTES],
  ] as const;
  return listed.map(([id, name, description, attributes]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributes.map(documentOf),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }));
}

/** RFC 7643 §7. */
function documentOf({ canonicalValues, referenceTypes, subAttributes, ...attribute }: Attribute): Json {
  return {
    ...attribute,
    ...(canonicalValues && { canonicalValues: [...canonicalValues] }),
    ...(referenceTypes && { referenceTypes: [...referenceTypes] }),
    ...(subAttributes && { subAttributes: subAttributes.map(documentOf) }),
  };
}
