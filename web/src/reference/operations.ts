import type { Method } from '@orchestrate/shared';
import type { JsonSchema, OpenApi, Parameter, Response } from './documents.ts';

/** A result that an operation may answer. */
export interface PossibleResult {
  status: string;
  /** Of a redirect neither code nor name. */
  code: number | undefined;
  name: string;
  sentence: string;
}

/** An operation of the document, as the page shows it. */
export interface Operation {
  id: string;
  method: Method;
  /** Below `/api`, with `{name}` for parameters. */
  path: string;
  area: string;
  summary: string;
  /** Who may call it, as a sentence. */
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

/** The operations of the document by area, in the order of both. */
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
        who: withoutLabel(document.description),
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

/** The description of an operation or channel says who may use it. */
export const withoutLabel = (description: string): string => description.replace(/^\*\*Who:\*\* /, '');

const neededBy = (security: Record<string, string[]>[]): Operation['needs'] => {
  const needed = security.flatMap(Object.keys);
  return needed.includes('accessToken') ? 'accessToken' : needed.includes('labToken') ? 'labToken' : 'nothing';
};

/** A response describes each of its results in a line, a redirect itself. */
const resultsIn = (status: string, description: string): PossibleResult[] =>
  status === REDIRECT
    ? [{ status, code: undefined, name: '', sentence: description }]
    : [...description.matchAll(/^- `(\d+)` (\w+): (.*)$/gm)].map(([, code, name = '', sentence = '']) => ({
        status,
        code: Number(code),
        name,
        sentence,
      }));

/** Whether every word is found somewhere in the operation: its words, address, name or results. */
export function isFound({ id, method, path, area, summary, results }: Operation, typed: string): boolean {
  const text = `${id} ${method} ${path} ${area} ${summary} ${results.map(({ name }) => name).join(' ')}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The address of an area on the page: `Session and profile` as `session-and-profile`. */
export const slugOf = (area: string): string => area.toLowerCase().replaceAll(/\W+/g, '-');
