import { type ChannelDefinition, type EndpointDefinition, SYSTEM_ROLES } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { areasOf } from './areas.ts';
import { describeAccess, describeChannelAccess } from './describe-access.ts';
import { hoistDefinitions } from './hoist-definitions.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { resultsOf } from './results-of.ts';

const SIGNED_IN: ReadonlySet<EndpointDefinition['access']['who']> = new Set(['signed-in', 'permission', 'member']);

/** OpenAPI 3.1.1 for tools, generated from what is registered. */
export function openApiDocument({ endpoints, channels }: Deps['registered'], publicUrl: string): object {
  return hoistDefinitions({
    openapi: '3.1.1',
    info: { title: 'Orchestrate', version: '0.1.0', description: describeChannels(channels) },
    servers: [{ url: `${publicUrl}/api` }],
    tags: areasOf(endpoints).map((name) => ({ name })),
    paths: pathsOf(endpoints),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Refusal: jsonSchemaOf(refusal, 'output') },
    },
    'x-system-roles': Object.fromEntries(SYSTEM_ROLES.map(({ roleCode, permissions }) => [roleCode, permissions])),
  });
}

/** `RefusalBody` of the contract. */
const refusal = z.object({
  resultCode: z.number().int(),
  resultName: z.string(),
  message: z.string(),
  requestId: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

function pathsOf(endpoints: readonly EndpointDefinition[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const entry of endpoints) {
    const path = entry.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: operationOf(entry) };
  }
  return paths;
}

function operationOf(entry: EndpointDefinition): object {
  return {
    tags: [entry.area],
    summary: entry.summary,
    description: `**Who:** ${describeAccess(entry.access)}`,
    ...(SIGNED_IN.has(entry.access.who) && { security: [{ bearer: [] }] }),
    parameters: [
      ...parametersOf('path', entry.params),
      ...parametersOf('query', entry.query),
      ...(isVersionedWrite(entry) ? [ifMatch] : []),
    ],
    ...requestBodyOf(entry),
    responses: responsesOf(entry),
  };
}

function requestBodyOf({ body, multipart, file }: EndpointDefinition): { requestBody?: object } {
  const content = {
    ...(body && { 'application/json': { schema: jsonSchemaOf(body, 'input') } }),
    ...(multipart && { 'multipart/form-data': { schema: formOf(jsonSchemaOf(multipart, 'input'), file) } }),
  };
  return body || multipart ? { requestBody: { required: true, content } } : {};
}

/** OpenAPI 3.1.1, "Considerations for File Uploads": a file is a property without a schema of its own. */
function formOf(fields: Record<string, unknown>, file: EndpointDefinition['file']): object {
  if (!file) return fields;
  const { properties, required } = fields;
  const description = `At most ${file.maxBytes} bytes.`;
  return {
    ...fields,
    properties: { ...Object(properties), file: { contentMediaType: 'application/octet-stream', description } },
    required: [...(Array.isArray(required) ? required : []), ...(file.isOptional ? [] : ['file'])],
  };
}

function parametersOf(where: 'path' | 'query', schema: z.ZodObject | undefined): object[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !z.safeParse(field, undefined).success,
    schema: jsonSchemaOf(field, 'input'),
  }));
}

/** By HTTP status; the description lists the result codes returned with it. */
function responsesOf(entry: EndpointDefinition): Record<string, object> {
  const responses: Record<string, { description: string; content: object; headers?: object }> = {};
  for (const { status, code, name, sentence, isRefusal } of resultsOf(entry)) {
    const line = `- \`${code}\` ${name}: ${sentence}`;
    const known = responses[status];
    const schema = isRefusal ? { $ref: '#/components/schemas/Refusal' } : successOf(entry);
    const type = (!isRefusal && entry.document) || 'application/json';
    responses[status] = known
      ? { ...known, description: `${known.description}\n${line}` }
      : { description: line, content: { [type]: { schema } } };
  }
  const success = responses[200];
  if (success && entry.versioned) responses[200] = { ...success, headers: { ETag: etag } };
  if (isVersionedWrite(entry)) {
    const description = `- \`1\` INVALID_REQUEST: somebody else has changed the ${entry.versioned} since it was read; nothing was saved`;
    const schema = jsonSchemaOf(staleOf(entry), 'output');
    responses[412] = { description, headers: { ETag: etag }, content: { 'application/json': { schema } } };
  }
  return responses;
}

const isVersionedWrite = ({ method, versioned }: EndpointDefinition) => versioned !== undefined && method !== 'GET';

const etag = { description: 'The version of the thing, for `If-Match`.', schema: { type: 'string' } };
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The version that was read: `ETag`, or `version` of a list. Without it the last one who saves wins.',
};

/** `StaleBody` of the contract. */
const staleOf = ({ current }: EndpointDefinition) =>
  refusal.extend({
    current: current ?? z.object({}),
    changedBy: z.object({ name: z.string(), suid: z.string() }).nullable(),
    changedAt: z.string().nullable(),
  });

const successOf = ({ reply, document }: EndpointDefinition) =>
  document ? { type: 'string' } : jsonSchemaOf(z.object({ resultCode: z.number().int(), ...reply.shape }), 'output');

/** OpenAPI cannot describe sockets, so they are described in words. */
function describeChannels(channels: readonly ChannelDefinition[]): string {
  const lines = channels.map(
    ({ path, summary, access }) => `- \`${path}\`: ${summary}. ${describeChannelAccess(access)}`,
  );
  return ['Every answer is a flat JSON object with `resultCode`.', '', '## Live channels', '', ...lines].join('\n');
}
