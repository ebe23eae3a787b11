import { findRepeatedNames, readJson } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../refusal.ts';

/** Levels of objects and arrays; what the contract and the protocols describe has about ten. */
export const JSON_DEPTH_MAX = 64;

/**
 * Parses foreign JSON. All JSON from outside must be read here, so that code walking through it afterwards may recurse
 * once per level.
 * @returns undefined where it is not JSON, or is nested deeper than `JSON_DEPTH_MAX`
 */
export const readBoundedJson = (text: string): unknown => (isTooDeep(text) ? undefined : readJson(text));

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether a text, read as JSON, is nested deeper than `JSON_DEPTH_MAX`. Reads it once, and ignores brackets inside
 * strings.
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
 * Parses JSON bodies as Fastify does, but refuses those nested too deeply with BAD_REQUEST. Controls of the lab that
 * are there twice are refused too: one of them would have no effect.
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
    // A client that always sends the header has not sent a wrong body: a missing one counts as {} (contract §2).
    if (body === '') done(null, undefined);
    else if (isTooDeep(body)) done(new Refusal('BAD_REQUEST', { message: 'The body is nested too deeply.' }));
    else void (request.url.startsWith('/api/lab/') ? parseOnce : parse)(request, body, done);
  });
}
