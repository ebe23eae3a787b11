import { findRepeatedNames, readJson } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../refusal.ts';

/** Maximum nesting depth of objects and arrays. Valid messages have about ten levels. */
export const JSON_DEPTH_MAX = 64;

/**
 * Parses untrusted JSON. All external JSON must be parsed here, so that later code can safely recurse into it.
 * @returns undefined if the JSON is invalid or nested deeper than `JSON_DEPTH_MAX`
 */
export const readBoundedJson = (text: string): unknown => (isTooDeep(text) ? undefined : readJson(text));

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns true if JSON is nested deeper than `JSON_DEPTH_MAX`, ignoring brackets in strings. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isText = !isText;
    else if (isText) {
      if (sign === BACKSLASH) at += 1;
    } else if (sign === OPEN_BRACE || sign === OPEN_BRACKET) {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) return true;
    } else if (sign === CLOSE_BRACE || sign === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Parses JSON bodies as Fastify does, but refuses deeply nested bodies with BAD_REQUEST. Lab calls also refuse
 * duplicate names, because the parser would silently keep only one of the values.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  const parseOnce: typeof parse = (request, body, done) => {
    const repeated = readJson(body) === undefined ? [] : findRepeatedNames(body);
    const issues = repeated.map(({ path }) => ({
      path: path.join('.'),
      message: `${path.at(-1)} appears twice. Use each name only once`,
    }));
    if (issues.length > 0) return done(new Refusal('INVALID_REQUEST', { message: issues[0]?.message, issues }));
    return parse(request, body, done);
  };
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Treat an empty body as {} even if the request has a content-type header, because some clients always send the
    // header (contract §2).
    if (body === '') done(null, undefined);
    else if (isTooDeep(body)) done(new Refusal('BAD_REQUEST', { message: 'The body is nested too deeply.' }));
    else void (request.url.startsWith('/api/lab/') ? parseOnce : parse)(request, body, done);
  });
}
