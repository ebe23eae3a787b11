import { timedFetch } from '#lib/api/timed-fetch.ts';

/** Schema fields of the OpenAPI and AsyncAPI documents that the reference displays. */

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  enum?: unknown[];
  description?: string;
  format?: string;
  /** Media type, for a file. */
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

interface Media {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Response {
  description: string;
  headers?: Record<string, { description: string }>;
  /** Absent for a redirect. */
  content?: Record<string, Media>;
}

export interface OperationDocument {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}

export interface OpenApi {
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationDocument>>;
  components: { schemas: Record<string, JsonSchema> };
}

export interface Message {
  name: string;
  title: string;
  payload: JsonSchema;
}

export interface ChannelDocument {
  address: string;
  summary: string;
  description: string;
  messages: Record<string, Message>;
  bindings: { ws: { query: JsonSchema; headers: JsonSchema } };
}

export interface AsyncApi {
  info: { title: string; description: string };
  channels: Record<string, ChannelDocument>;
  components: { schemas: Record<string, JsonSchema> };
}

async function read<Document>(path: string): Promise<Document> {
  const response = await timedFetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response.json();
}

/** Loads the portal's OpenAPI and AsyncAPI documents. @throws Error if either document can't be loaded */
export async function readDocuments(): Promise<{ api: OpenApi; live: AsyncApi }> {
  const [api, live] = await Promise.all([read<OpenApi>('/openapi.json'), read<AsyncApi>('/docs/asyncapi.json')]);
  // The page describes sockets. Webhooks are requests to other programs.
  const { webhook: _, ...channels } = live.channels;
  return { api, live: { ...live, channels } };
}
