import type { Method } from '@orchestrate/shared';
import type { JsonSchema, OpenApi, Parameter, Response } from './documents.ts';

/** A possible result of an operation. */
export interface PossibleResult {
  status: string;
  /** Undefined for a redirect, which also has no result name. */
  code: number | undefined;
  name: string;
  sentence: string;
}

/** An operation in the OpenAPI document. */
export interface Operation {
  id: string;
  method: Method;
  /** Path below `/api`, with parameters as `{name}`. */
  path: string;
  area: string;
  summary: string;
  /** Sentence that describes who can call the operation. */
  who: string;
  needs: 'nothing' | 'accessToken' | 'labToken';
  parameters: Parameter[];
  body: { type: string; schema: JsonSchema; example: unknown; isRequired: boolean } | undefined;
  responses: Record<string, Response>;
  results: PossibleResult[];
}

export interface Area {
  name: string;
  description: string;
  operations: Operation[];
}

const REDIRECT = '302';

const METHODS: Readonly<Record<string, Method>> = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' };

/** Groups the document's operations by area, in document order. */
export function areasOf({ tags, paths }: OpenApi): Area[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, document]): Operation => {
      const [body] = Object.entries(document.requestBody?.content ?? {});
      return {
        id: document.operationId,
        method: METHODS[method] ?? 'GET',
        path,
        area: document.tags[0] ?? '',
        summary: document.summary,
        who: withoutWhoLabel(document.description),
        needs: neededBy(document.security),
        parameters: document.parameters,
        body: body && {
          type: body[0],
          schema: body[1].schema,
          example: body[1].example,
          isRequired: document.requestBody?.required ?? false,
        },
        responses: document.responses,
        results: Object.entries(document.responses).flatMap(([status, { description }]) =>
          resultsIn(status, description),
        ),
      };
    }),
  );
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ area }) => area === name),
  }));
}

/** Removes the "Who:" label from the description of who can use an operation or channel. */
export const withoutWhoLabel = (description: string): string => description.replace(/^\*\*Who:\*\* /, '');

const neededBy = (security: Record<string, string[]>[]): Operation['needs'] => {
  const needed = security.flatMap(Object.keys);
  return needed.includes('accessToken') ? 'accessToken' : needed.includes('labToken') ? 'labToken' : 'nothing';
};

/**
 * Parses the results in a response's description, which has one line per result. A redirect has no result lines, so
 * its whole description is the meaning.
 */
const resultsIn = (status: string, description: string): PossibleResult[] =>
  status === REDIRECT
    ? [{ status, code: undefined, name: '', sentence: description }]
    : [...description.matchAll(/^- `(\d+)` (\w+): (.*)$/gm)].map(([, code, name = '', sentence = '']) => ({
        status,
        code: Number(code),
        name,
        sentence,
      }));

/**
 * Returns true if an operation's ID, path, area, summary and results, taken together, contain every word of the
 * search.
 */
export function matchesSearch({ id, method, path, area, summary, results }: Operation, typed: string): boolean {
  const text = `${id} ${method} ${path} ${area} ${summary} ${results.map(({ name }) => name).join(' ')}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns an area's URL slug: `session-and-profile` for `Session and profile`. */
export const slugOf = (area: string): string => area.toLowerCase().replaceAll(/\W+/g, '-');

/** Paths of the API reference. They aren't in `paths`, because every page loads that module. */
export const referencePaths = {
  home: '/docs',
  area: (name: string) => `/docs/areas/${slugOf(name)}`,
  operation: (id: string) => `/docs/${id}`,
  channel: (name: string) => `/docs/sockets/${name}`,
} as const;
