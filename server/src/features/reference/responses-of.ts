import { documentTypesOf, type EndpointDefinition, resultNameOf } from '@orchestrate/shared';
import { exampleOf } from './examples.ts';
import type { Json } from './json-schema-of.ts';
import { oneOfRefusals, referenceTo, staleSchemaOf } from './refusal-schemas.ts';
import { replyNameOf } from './reply-schemas.ts';
import { type PossibleResult, resultsOf } from './results-of.ts';

const OK = 200;
const REDIRECT = 302;
const STALE = 412;
const TOO_MANY = 429;
const DEFECT = 500;
const DISK_FULL = 507;
const FULL = 'The disk of the portal is full; nothing was saved.';

/** By HTTP status: what is answered with it, and which results that may be. @param name of the entry in the contract */
export function responsesOf(entry: EndpointDefinition, name: string): Record<string, Json> {
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

export const isVersionedWrite = ({ method, versioned }: EndpointDefinition): boolean =>
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

/** Whether a media type is of JSON: RFC 8259 §11, RFC 6839 §3.1. */
export const isJsonType = (type: string): boolean => /^application\/(.+\+)?json$/.test(type);

/** Returns recorded answers with a status, by the name of their result. */
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
    whom === 'browsers' ? 'To a page that says the same, for a browser that navigates here' : 'To the next page',
  headers: { Location: { description: 'The address of the page.', schema: { type: 'string' } } },
});

const ETAG = { description: 'The version of the thing, for `If-Match`.', schema: { type: 'string' } };
const RETRY_AFTER = { description: 'Seconds after which to try again.', schema: { type: 'integer' } };

function staleResponse(entry: EndpointDefinition): Json {
  return {
    description: `- \`1\` INVALID_REQUEST: somebody else has changed the ${entry.versioned} since it was read; nothing was saved`,
    headers: { ETag: ETAG },
    content: { 'application/json': { schema: staleSchemaOf(entry) } },
  };
}
