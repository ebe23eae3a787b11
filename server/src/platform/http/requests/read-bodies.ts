import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { Refusal } from '../../refusal.ts';

/** Bodies that a library has read from the connection itself, for those who look at the request afterwards. */
export const readBodies = new WeakMap<IncomingMessage, unknown>();

type Issue = z.core.$ZodIssue;

/** For a union, the issues of the alternative that fits best; for unknown fields, one each. */
export function flatten(issue: Issue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ ...issue, path: [...issue.path, key] }));
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const best = issue.errors.reduce((a, b) => (b.length < a.length ? b : a));
  return best.flatMap((nested) => flatten({ ...nested, path: [...issue.path, ...nested.path] }));
}

const NO_FORM = 'Send the body as a form, with the header content-type: application/x-www-form-urlencoded.';

/** Lets the routes of a scope receive forms, as `URLSearchParams`; a body of any other type is refused. */
export function readForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  scope.addContentTypeParser('*', (_request, _payload, done) =>
    done(new Refusal('BAD_REQUEST', { status: 415, message: NO_FORM })),
  );
}
