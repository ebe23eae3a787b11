import {
  type Access,
  type Area,
  codeOf,
  contract,
  documentTypesOf,
  type EndpointDefinition,
  type EndpointSummary,
  RESULT_NAMES,
  type ResultName,
  resultNameOf,
  SYSTEM_ROLES,
} from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { extendObject, isJsonObject, type Json } from '#platform/contract-comments.ts';
import { VERSION } from '#platform/version.ts';
import { describeAccess } from './describe-access.ts';
import { exampleOf } from './examples.ts';
import { hoistDefinitions } from './hoist-definitions.ts';
import { jsonSchemaOf, pascalCase } from './json-schema-of.ts';
import { oneOfRefusals, referenceTo, refusalNameOf, refusalSchemaOf, staleSchemaOf } from './refusal-schemas.ts';
import { type PossibleResult, resultsOf } from './results-of.ts';

/** Description of responses without a body. */
const DONE = 'Done';

/**
 * Returns a success response's component name, e.g. `MakePersonReply`.
 * @param operation the endpoint's name in the contract
 */
const replyNameOf = ({ reply, news }: EndpointDefinition, operation: string): string =>
  Object.keys(reply.shape).length === 0 && !news ? DONE : `${pascalCase(operation)}Reply`;

/** Returns the schema of a success response. */
function replySchemaOf({ reply, news = [], newsReply }: EndpointDefinition): Json {
  if (!newsReply) return jsonSchemaOf(withResult(reply, ['SUCCESS', ...news]), 'output');
  const either = [withResult(reply, ['SUCCESS']), withResult(newsReply.fields, news)] as const;
  return jsonSchemaOf(z.discriminatedUnion('resultCode', either), 'output');
}

const withResult = (fields: z.ZodObject, results: readonly ResultName[]) =>
  extendObject(fields, { resultCode: z.literal(results.map(codeOf)) });

const OK = 200;
const REDIRECT = 302;
const STALE = 412;
const TOO_MANY = 429;
const DEFECT = 500;
const DISK_FULL = 507;
const FULL = "The portal's disk is full. Nothing was saved.";

/**
 * Returns responses by HTTP status, each with its possible results.
 * @param name the endpoint's name in the contract
 */
function responsesOf(entry: EndpointDefinition, name: string): Record<string, Json> {
  const results = resultsOf(entry).filter(({ name }) => name !== 'SUCCESS' || entry.redirects !== 'everybody');
  const byStatus = Map.groupBy(results, ({ status }) => status);
  const responses = [...byStatus].map(([status, sharing]): [number, Json] => [
    status,
    {
      description: sharing.map(lineOf).join('\n'),
      ...headersOf(entry, status),
      content: contentOf(entry, name, sharing, examplesOf(entry, status)),
    },
  ]);
  const defect = responses.find(([status]) => status === DEFECT)?.[1];
  if (defect && entry.method !== 'GET') responses.push([DISK_FULL, { ...defect, description: FULL }]);
  if (entry.redirects) responses.push([REDIRECT, redirectOf(entry.redirects)]);
  if (isVersionedWrite(entry)) responses.push([STALE, staleResponse(entry)]);
  return Object.fromEntries(responses);
}

const isVersionedWrite = ({ method, versioned }: EndpointDefinition): boolean =>
  versioned !== undefined && method !== 'GET';

const lineOf = ({ code, name, sentence }: PossibleResult) => `- \`${code}\` ${name}: ${sentence}`;

function contentOf(
  entry: EndpointDefinition,
  name: string,
  results: readonly PossibleResult[],
  examples: { examples?: Json },
): Json {
  const refused = results.filter(({ isRefusal }) => isRefusal).map((result) => result.name);
  const refusals = refused.length > 0 ? [oneOfRefusals(refused)] : [];
  const isSuccess = results.some(({ isRefusal }) => !isRefusal);
  const documents = documentTypesOf(entry);
  const replies = isSuccess && documents.length === 0 ? [{ $ref: referenceTo(replyNameOf(entry, name)) }] : [];
  const [first, ...others] = [...replies, ...refusals];
  return {
    ...(isSuccess &&
      Object.fromEntries(
        documents.map((type) => [type, { schema: { type: isJsonType(type) ? 'object' : 'string' } }]),
      )),
    ...(first && {
      'application/json': { schema: others.length > 0 ? { oneOf: [first, ...others] } : first, ...examples },
    }),
  };
}

/** Returns true for JSON media types (RFC 8259 §11, RFC 6839 §3.1). */
export const isJsonType = (type: string): boolean => /^application\/(.+\+)?json$/.test(type);

/** Returns the recorded responses with this status, keyed by result name. */
function examplesOf(entry: EndpointDefinition, status: number): { examples?: Json } {
  const replies = (exampleOf(entry)?.replies ?? []).filter((reply) => reply.status === status);
  if (replies.length === 0) return {};
  return {
    examples: Object.fromEntries(
      replies.map(({ body }) => [resultNameOf(Number(body.resultCode)) ?? '', { value: body }]),
    ),
  };
}

function headersOf({ versioned }: EndpointDefinition, status: number): { headers?: Json } {
  if (status === OK && versioned) return { headers: { ETag: ETAG } };
  return status === TOO_MANY ? { headers: { 'Retry-After': RETRY_AFTER } } : {};
}

const redirectOf = (whom: NonNullable<EndpointDefinition['redirects']>): Json => ({
  description:
    whom === 'browsers' ? 'Redirects browsers to a page that shows the same result' : 'Redirects to the next page',
  headers: { Location: { description: 'URL of the page.', schema: { type: 'string' } } },
});

const ETAG = { description: 'Version of the resource, for `If-Match`.', schema: { type: 'string' } };
const RETRY_AFTER = { description: 'Time to wait before retrying, in seconds.', schema: { type: 'integer' } };

function staleResponse(entry: EndpointDefinition): Json {
  return {
    description: `- \`1\` INVALID_REQUEST: the ${entry.versioned} has changed since it was read; nothing was saved`,
    headers: { ETag: ETAG },
    content: { 'application/json': { schema: staleSchemaOf(entry) } },
  };
}

/**
 * Describes an endpoint as an OpenAPI operation.
 * @param name the endpoint's name in the contract
 */
function operationOf(entry: EndpointDefinition, name: string): Json {
  const request = exampleOf(entry)?.request ?? {};
  return {
    operationId: name,
    tags: [entry.area],
    summary: entry.summary,
    description: `**Who:** ${describeAccess(entry.access)}`,
    security: securityOf(entry.access),
    parameters: [
      ...parametersOf('path', entry.params, request.params),
      ...parametersOf('query', entry.query, request.query),
      ...(isVersionedWrite(entry) ? [IF_MATCH] : []),
    ],
    ...requestBodyOf(entry, request.body),
    responses: responsesOf(entry, name),
  };
}

/** Returns the security requirements. An empty requirement means that no authentication is needed. */
function securityOf({ who }: Access): Json[] {
  if (who === 'public' || who === 'device') return [];
  return who === 'lab' ? [{}, { labToken: [] }] : [{ accessToken: [] }];
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'Version that was read, from `ETag` or from `version` in a list. If absent, the last write wins.',
};

function parametersOf(where: 'path' | 'query', schema: z.ZodObject | undefined, example: Json = {}): Json[] {
  if (!schema) return [];
  const { properties } = jsonSchemaOf(schema, 'input');
  return Object.entries(schema.shape).map(([name, field]) => {
    const described = isJsonObject(properties) ? properties[name] : undefined;
    return {
      name,
      in: where,
      required: where === 'path' || !z.safeParse(field, undefined).success,
      ...(isJsonObject(described) && described.description !== undefined && { description: described.description }),
      schema: jsonSchemaOf(field, 'input'),
      ...(example[name] !== undefined && { example: example[name] }),
    };
  });
}

function requestBodyOf({ body, multipart, file }: EndpointDefinition, example?: Json): { requestBody?: Json } {
  const content = {
    ...(body && { 'application/json': { schema: jsonSchemaOf(body, 'input'), ...(example && { example }) } }),
    ...(multipart && { 'multipart/form-data': formOf(multipart, file, example) }),
  };
  const isRequired = multipart !== undefined || (body !== undefined && !body.safeParse({}).success);
  return body || multipart ? { requestBody: { required: isRequired, content } } : {};
}

/**
 * Describes a multipart form. A file is a property without a schema (OpenAPI 3.1.1, "Considerations for File
 * Uploads").
 * @param example fields of a recorded request. Files aren't recorded, and fields that aren't in the form are ignored.
 */
function formOf(multipart: z.ZodObject, file: EndpointDefinition['file'], example: Json = {}): Json {
  // Inline the schema. Generators would ignore the `file` property next to a `$ref`.
  const fields = jsonSchemaOf(extendObject(multipart, {}), 'input');
  const properties = {
    ...(isJsonObject(fields.properties) && fields.properties),
    ...(file && {
      file: { contentMediaType: 'application/octet-stream', description: `At most ${file.maxBytes} bytes.` },
    }),
  };
  const required = [
    ...(Array.isArray(fields.required) ? fields.required : []),
    ...(file && !file.isOptional ? ['file'] : []),
  ];
  const shown = Object.entries(example).filter(([name]) => name in properties);
  return {
    schema: { ...fields, properties, required },
    example: { ...Object.fromEntries(shown), ...(file && !file.isOptional && { file: file.example }) },
  };
}

/** Areas of the API reference in display order, each with a description. */
const AREAS: Record<Area, string> = {
  'Session and profile':
    'Sign in with a code or a push notification, exchange the sign-in for tokens, renew tokens and sign out.',
  People: 'Find, invite, edit, disable and delete members of an organisation.',
  Activation: 'Codes and links for registering a member’s first device.',
  Devices: 'Add, name, test, pause and remove devices, or report a device lost.',
  Settings: 'An organisation’s branding, sign-in methods and security.',
  Roles: 'Permissions and the roles that bundle them.',
  Applications: 'Applications that members sign in to with OpenID Connect or SAML.',
  FAQ: 'Questions and answers, in categories and subcategories.',
  Activity: 'Audit trail and sign-in history.',
  Webhooks: 'Endpoints that receive an organisation’s events, and the deliveries to them.',
  Authenticator:
    'Endpoints for devices. A registered device needs no token. It signs its command and sends it in the body as a compact JWS (`jws`) with the header `{ alg: "ES256", kid: zid, typ: "device+jwt" }` and the claims `aud` (the organisation), `iat`, `jti` and the command’s fields. `proof` proves possession of a new key.',
  Lab: 'Controls of the simulation: people, phones, time, email, faults and spaces. Not available with `LAB=off`.',
  Service: 'Health of the portal and its database.',
};

const ORDER = Object.keys(AREAS);

/** Returns the areas with at least one endpoint, in display order. */
function areasOf(endpoints: readonly EndpointDefinition[]): Area[] {
  return [...new Set(endpoints.map(({ area }) => area))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}

/** Generates the OpenAPI 3.1.1 document from the registered endpoints. */
export function openApiDocument({ endpoints }: Pick<Deps['registered'], 'endpoints'>, publicUrl: string): object {
  return hoistDefinitions({
    openapi: '3.1.1',
    info: {
      title: 'Orchestrate',
      version: VERSION,
      summary: 'Passwordless sign-in and administration of members and devices',
      description: DESCRIPTION,
      license: { name: 'Not for distribution', identifier: 'LicenseRef-Private' },
    },
    servers: [{ url: `${publicUrl}/api`, description: 'This portal.' }],
    externalDocs: { url: `${publicUrl}/docs/asyncapi.json`, description: 'Live channels as AsyncAPI 3.0' },
    tags: areasOf(endpoints).map((name) => ({ name, description: AREAS[name] })),
    paths: pathsOf(endpoints),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: schemasOf(endpoints) },
    'x-system-roles': Object.fromEntries(SYSTEM_ROLES.map(({ roleCode, permissions }) => [roleCode, permissions])),
  });
}

/** Returns each endpoint's address in the reference and what it is searched by, for the client's palette. */
export const endpointIndex = ({ endpoints }: Pick<Deps['registered'], 'endpoints'>): EndpointSummary[] =>
  endpoints.map((entry) => ({
    id: operationNameOf(entry),
    method: entry.method,
    path: entry.path.replaceAll(/:(\w+)/g, '{$1}'),
    area: entry.area,
    summary: entry.summary,
  }));

const DESCRIPTION = `Every response is a flat JSON object with \`resultCode\`, where 0 means success. Errors add \`resultName\`, a readable \`message\` and
\`requestId\`.

**Errors can come with HTTP 200.** Check \`resultCode\`, or whether \`resultName\` is present. Each response is described as a union of
the success, which has a constant \`resultCode\`, and the errors, which differ by \`resultName\`.

**Versions.** Reads return the version of an editable resource as \`ETag\`. If the resource has changed in the meantime, a write with \`If-Match\`
is refused with 412, and the response describes the change.

**Unknown fields** in a body or query are ignored, except by the lab, which rejects them.`;

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of a sign-in (`POST /user/login`), valid for ten minutes. Get the next one with `POST /refresh`. In tests, `POST /lab/sessions` signs a person in with one call. Its public keys are at `/.well-known/jwks.json`. They don’t verify tokens for applications: an OpenID issuer’s keys are at the `jwks_uri` in its discovery document.',
  },
  labToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The portal’s `LAB_TOKEN`. Not needed if the portal is local and the client is on the same machine.',
  },
};

function pathsOf(endpoints: readonly EndpointDefinition[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const entry of endpoints) {
    const path = entry.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: operationOf(entry, operationNameOf(entry)) };
  }
  return paths;
}

function schemasOf(endpoints: readonly EndpointDefinition[]): Json {
  const replies = endpoints
    .filter(({ document }) => !document)
    .map((entry) => [replyNameOf(entry, operationNameOf(entry)), replySchemaOf(entry)]);
  const refused = new Set(
    endpoints.flatMap((entry) => resultsOf(entry).filter(({ isRefusal }) => isRefusal)).map(({ name }) => name),
  );
  const refusals = RESULT_NAMES.filter((name) => refused.has(name)).map((name) => [
    refusalNameOf(name),
    refusalSchemaOf(name),
  ]);
  return Object.fromEntries([...replies, ...refusals]);
}

const NAMES = new Map<unknown, string>(Object.entries(contract).map(([name, entry]) => [entry, name]));

/**
 * Returns an endpoint's name in `contract`, or a name derived from method and path if the contract doesn't include
 * the endpoint.
 */
export function operationNameOf(entry: EndpointDefinition): string {
  const words = `${entry.method.toLowerCase()}${entry.path}`.split(/\W+/);
  return (
    NAMES.get(entry) ??
    words.map((word, index) => (index ? word.charAt(0).toUpperCase() + word.slice(1) : word)).join('')
  );
}
