import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../refusal.ts';

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
