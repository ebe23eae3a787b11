import { findRepeatedNames, readJson } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../refusal.ts';

/** Maximum depth of objects and arrays; valid messages have about ten levels. */
export const JSON_DEPTH_MAX = 64;

/**
 * Parses untrusted JSON. All JSON from outside must be parsed here, so that later code can recurse once per level.
 * @returns undefined if it is invalid or nested deeper than `JSON_DEPTH_MAX`
 */
export const readBoundedJson = (text: string): unknown => (isTooDeep(text) ? undefined : readJson(text));

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns true if a JSON text is nested deeper than `JSON_DEPTH_MAX`, ignoring brackets in strings.
 */
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
 * Parses JSON bodies like Fastify, but refuses deeply nested ones with BAD_REQUEST. In calls of the lab, also refuses
 * duplicate names, one of which would have no effect.
 */
export function readShallowJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  const parseOnce: typeof parse = (request, body, done) => {
    const repeated = readJson(body) === undefined ? [] : findRepeatedNames(body);
    const issues = repeated.map(({ path }) => ({
      path: path.join('.'),
      message: `${path.at(-1)} appears twice. Use each name once`,
    }));
    if (issues.length > 0) return done(new Refusal('INVALID_REQUEST', { message: issues[0]?.message, issues }));
    return parse(request, body, done);
  };
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // An absent body counts as {} even with the header, which some clients always send (contract §2).
    if (body === '') done(null, undefined);
    else if (isTooDeep(body)) done(new Refusal('BAD_REQUEST', { message: 'The body is nested too deeply.' }));
    else void (request.url.startsWith('/api/lab/') ? parseOnce : parse)(request, body, done);
  });
}
