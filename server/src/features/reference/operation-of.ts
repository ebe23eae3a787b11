import type { Access, EndpointDefinition } from '@orchestrate/shared';
import { z } from 'zod';
import { describeAccess } from './describe-access.ts';
import { exampleOf } from './examples.ts';
import { isJson, type Json, jsonSchemaOf } from './json-schema-of.ts';
import { extended } from './meanings.ts';
import { isVersionedWrite, responsesOf } from './responses-of.ts';

/** An entry as an operation of OpenAPI. @param name its name in the contract */
export function operationOf(entry: EndpointDefinition, name: string): Json {
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

/** What a call needs; the empty requirement stands for nothing. */
function securityOf({ who }: Access): Json[] {
  if (who === 'public' || who === 'device') return [];
  return who === 'lab' ? [{}, { labToken: [] }] : [{ accessToken: [] }];
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The version that was read: `ETag`, or `version` of a list. Without it the last one who saves wins.',
};

function parametersOf(where: 'path' | 'query', schema: z.ZodObject | undefined, example: Json = {}): Json[] {
  if (!schema) return [];
  const { properties } = jsonSchemaOf(schema, 'input');
  return Object.entries(schema.shape).map(([name, field]) => {
    const described = isJson(properties) ? properties[name] : undefined;
    return {
      name,
      in: where,
      required: where === 'path' || !z.safeParse(field, undefined).success,
      ...(isJson(described) && described.description !== undefined && { description: described.description }),
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
 * OpenAPI 3.1.1, "Considerations for File Uploads": a file is a property without a schema of its own.
 * @param example the fields of a recorded request; files are not recorded, and other fields are ignored
 */
function formOf(multipart: z.ZodObject, file: EndpointDefinition['file'], example: Json = {}): Json {
  // In full: generators read nothing beside a reference, not even a file.
  const fields = jsonSchemaOf(extended(multipart, {}), 'input');
  const properties = {
    ...(isJson(fields.properties) && fields.properties),
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
