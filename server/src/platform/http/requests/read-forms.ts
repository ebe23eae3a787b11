import type { FastifyInstance } from 'fastify';

/** Lets the routes of a scope receive forms, as `URLSearchParams`. */
export function readForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
}
