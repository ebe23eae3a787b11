import fc from 'fast-check';
import type { Attempt } from './attempt.ts';
import { text } from './odd-fields.ts';

const PAGES = [
  '/',
  '/acme',
  '/acme/sign-in',
  '/logos/acme',
  '/.well-known/jwks.json',
  '/docs',
  '/assets/x.js',
  '/api/oidc/callback',
  '/static/x',
  '/openapi.json',
];

/** URLs of pages and files, with unexpected parts. */
export const pageAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    page: fc.constantFrom(...PAGES),
    rest: text,
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE1'),
  })
  .map(({ page, rest, method }) => ({
    kind: 'http',
    what: `page ${page}`,
    method: method === 'TRACE1' ? 'PROPFIND' : method,
    path: `${page}${page.includes('callback') ? '?' : '/'}${encodeURIComponent(rest.toWellFormed())}`.slice(0, 8_000),
    type: '',
    body: null,
    sender: 'anonymous',
  }));
