import {
  type EndpointDefinition,
  MISSING_FIELD_RESULTS,
  orgCode,
  type RefusalBody,
  type ResultName,
  UNKNOWN_VALUE_RESULTS,
} from '@orchestrate/shared';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../../refusal.ts';
import { fieldsOf, ORGANISATION_FIELDS } from '../callers/permissions.ts';
import { explainNulls } from './explain-nulls.ts';
import { issueMessage, messageAt, undeclaredFields } from './issue-sentence.ts';
import { flattenIssue } from './read-bodies.ts';

const PARTS = ['params', 'query', 'body'] as const;
type PartName = (typeof PARTS)[number];

/** Maximum number of reported issues. */
const ISSUES_MAX = 20;

/**
 * Parses a request's params, query and body. Returns undefined for each of these that the contract entry doesn't
 * declare. An absent body is treated as `{}`, so that missing fields are reported by name.
 * @throws Refusal with all issues; its code is specific to a missing or unknown field, or INVALID_REQUEST
 */
export function readRequest(entry: EndpointDefinition, request: FastifyRequest): Record<PartName, unknown> {
  if (entry.access.who === 'lab') {
    if (!entry.query) requireNothing(request.query, "This endpoint doesn't accept query parameters");
    if (!entry.body) requireNothing(request.body, "This endpoint doesn't accept a body");
  }
  const parts = {
    params: entry.params && readPart(entry.params, request.params),
    query: entry.query && readPart(entry.query, request.query),
    body: entry.body && readBody(entry, entry.body, request.body === undefined ? {} : request.body),
  };
  requireOneMeaning(fieldsOf(parts.params), { ...repeatedIn(entry, request.body), ...fieldsOf(parts.body) });
  return parts;
}

/**
 * Returns true if bodies with undeclared fields are refused. In an application's nested configuration, a misplaced
 * setting would otherwise silently have no effect. Other bodies are flat, so clients may send more than the portal reads.
 */
const isStrict = ({ area }: EndpointDefinition): boolean => area === 'Applications';

/** Parses a body. @throws Refusal also for undeclared fields at any depth, if the entry is strict */
function readBody(entry: EndpointDefinition, schema: z.ZodType, raw: unknown): unknown {
  if (!isStrict(entry)) return readPart(schema, raw);
  const repeated = [...Object.keys(entry.params?.shape ?? {}), ...ORGANISATION_FIELDS];
  return readPart(
    schema,
    raw,
    undeclaredFields(schema, raw).filter(({ path }) => path.length > 1 || !repeated.includes(String(path[0]))),
  );
}

/** Returns the path parameters that a body repeats, although the entry doesn't declare them in the body. */
function repeatedIn(entry: EndpointDefinition, body: unknown): Record<string, unknown> {
  if (!isStrict(entry)) return {};
  const { params } = entry;
  const fields = Object.entries(fieldsOf(body));
  return Object.fromEntries(
    fields.flatMap(([name, value]) => {
      const schema = params?.shape[name];
      return schema instanceof z.ZodType ? [[name, schema.safeParse(value).data ?? value]] : [];
    }),
  );
}

/** Requires that body fields don't contradict path parameters of the same name. */
function requireOneMeaning(params: Record<string, unknown>, body: Record<string, unknown>): void {
  const issues = Object.entries(params)
    .filter(([name, value]) => body[name] !== undefined && body[name] !== value)
    .map(([path]) => ({ path, message: 'This differs from the value in the request path' }));
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}

/** Refuses undeclared input to the lab, so that a misspelt parameter fails the developer's test. */
function requireNothing(given: unknown, message: string): void {
  if (given === undefined) return;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const paths = isObject ? Object.keys(given) : [''];
  const issues = paths.map((path) => ({ path, message }));
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues: issues.slice(0, ISSUES_MAX) });
}

/**
 * Parses a request's params, query or body, or a channel's query. @param undeclared issues that the schema itself
 * doesn't report @throws Refusal as `readRequest` does
 */
export function readPart<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  undeclared: readonly Issue[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(raw, { error: issueMessage });
  if (parsed.success && undeclared.length === 0) return parsed.data;
  const declared = parsed.error?.issues.flatMap(flattenIssue) ?? [];
  const issues = [...declared, ...undeclared];
  const explained = explainNulls(
    schema,
    raw,
    issues.map((issue) => ({ path: issue.path, message: messageAt(issue, raw) })),
  );
  const unique = new Map(explained.map(written).map((issue) => [JSON.stringify(issue), issue]));
  throw new Refusal(resultOf(schema, declared, raw), { issues: [...unique.values()].slice(0, ISSUES_MAX) });
}

type Issue = z.core.$ZodIssue;

// Use a map, because a field in the request can have the same name as an inherited object property.
const unknownValue = new Map(Object.entries(UNKNOWN_VALUE_RESULTS));

function resultOf(schema: z.ZodType, issues: readonly Issue[], raw: unknown): ResultName {
  const fields = new Map(typeof raw === 'object' && raw !== null ? Object.entries(raw) : []);
  const isMissing = (name: string) => {
    const value = fields.get(name);
    return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
  };
  const names = issues.flatMap(({ path: [name, ...deeper] }) =>
    typeof name === 'string' && deeper.length === 0 ? [name] : [],
  );
  const fieldAt = (name: string): unknown => (schema instanceof z.ZodObject ? schema.shape[name] : undefined);
  const missing = names.filter(isMissing).map((name) => missingFieldResult(name, fieldAt(name)));
  const unknown = names.map((name) => unknownValue.get(name));
  return [...missing, ...unknown].find((result) => result !== undefined) ?? 'INVALID_REQUEST';
}

const written = ({ path, message }: Pick<Issue, 'path' | 'message'>): NonNullable<RefusalBody['issues']>[number] => ({
  path: path.map(String).join('.').slice(0, 200),
  message,
});

const missingByName = new Map(Object.entries(MISSING_FIELD_RESULTS));

/**
 * Returns the specific result for a missing field: by field name, or ORG_MISSING for an organisation code under any
 * name.
 */
export const missingFieldResult = (name: string, field: unknown): ResultName | undefined =>
  missingByName.get(name) ?? (field === orgCode ? 'ORG_MISSING' : undefined);
