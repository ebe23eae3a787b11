import type { EndpointDefinition } from '@orchestrate/shared';
import exchanges from '#platform/http/exchanges.json' with { type: 'json' };

export interface Example {
  request: { params?: Fields; query?: Fields; body?: Fields };
  /** One reply per result code, success first. */
  replies: { status: number; body: Fields }[];
}

type Fields = Record<string, unknown>;

interface Exchange {
  request: Example['request'];
  answers: { status: number; body: unknown }[];
}

/** Maximum number of list items in an example. */
const MAX_ITEMS = 2;
/** Prefix of recorded values that differ on every run. */
const VARYING_PREFIX = '<varies> ';
/** Placeholder for omitted items at the end of a recorded list. */
const OTHERS = /^and \d+ more$/;

/** Exchanges recorded by `pnpm generate`, with secrets replaced. */
const RECORDED = new Map<string, Exchange>(Object.entries(exchanges));

/** Returns the recorded request of the endpoint with its responses, or undefined if none was recorded. */
export function exampleOf({ method, path }: EndpointDefinition): Example | undefined {
  const recorded = RECORDED.get(`${method} ${path}`);
  if (!recorded) return undefined;
  const replies = new Map<unknown, Example['replies'][number]>();
  for (const { status, body } of recorded.answers) {
    if (isObject(body) && Object.keys(body).length > 0 && !replies.has(body.resultCode)) {
      replies.set(body.resultCode, { status, body: fieldsOf(body) });
    }
  }
  const isRefusal = ({ body }: { body: Fields }) => 'resultName' in body;
  const sorted = [...replies.values()].toSorted((one, other) => Number(isRefusal(one)) - Number(isRefusal(other)));
  const { params, query, body } = recorded.request;
  const request = {
    ...(params && { params: fieldsOf(params) }),
    ...(query && { query: fieldsOf(query) }),
    ...(body && { body: fieldsOf(body) }),
  };
  return { request, replies: sorted };
}

const fieldsOf = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [key, formatted(part)]));

/** Formats a recorded value: shortens lists and removes markers. */
function formatted(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith(VARYING_PREFIX))
    return formatted(JSON.parse(value.slice(VARYING_PREFIX.length)));
  if (Array.isArray(value))
    return value
      .filter((item) => !OTHERS.test(String(item)))
      .slice(0, MAX_ITEMS)
      .map(formatted);
  return isObject(value) ? fieldsOf(value) : value;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
