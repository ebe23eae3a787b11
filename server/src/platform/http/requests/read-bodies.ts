import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { Refusal } from '../../refusal.ts';

/** Bodies that a library read directly from the connection, kept for hooks that need them later. */
export const parsedBodies = new WeakMap<IncomingMessage, unknown>();

type Issue = z.core.$ZodIssue;

/** Expands an issue: a union yields the issues of the closest alternative, and unknown fields yield one issue each. */
export function flattenIssue(issue: Issue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ ...issue, path: [...issue.path, key] }));
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const best = issue.errors.reduce((a, b) => (b.length < a.length ? b : a));
  return best.flatMap((nested) => flattenIssue({ ...nested, path: [...issue.path, ...nested.path] }));
}

const NO_FORM = 'Send the body as a form with the header content-type: application/x-www-form-urlencoded.';

/** Makes all routes in a scope accept only forms, parsed as `URLSearchParams`. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  scope.addContentTypeParser('*', (_request, _payload, done) =>
    done(new Refusal('BAD_REQUEST', { status: 415, message: NO_FORM })),
  );
}
