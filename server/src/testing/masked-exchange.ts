import { type EndpointDefinition, fieldsWith } from '@orchestrate/shared';
import type { z } from 'zod';
import { REDACTED, redact } from '#lab/journal/redact.ts';

/** Maximum length of a replacement. Replacements for shorter secrets have the secret's length. */
const LONGEST = 64;

/** Replaces each secret in a request with an example in the same format. */
export function maskSecretsInRequest(entry: EndpointDefinition, input: object): object {
  const { params, query, body }: { params?: unknown; query?: unknown; body?: unknown } = input;
  const sent =
    body instanceof FormData ? Object.fromEntries([...body].filter(([, value]) => typeof value === 'string')) : body;
  return {
    ...(isObject(params) && { params: example(entry.params, params) }),
    ...(isObject(query) && { query: example(entry.query, query) }),
    ...(isObject(sent) && { body: example(entry.body ?? entry.multipart, sent) }),
  };
}

/** Replaces each secret in a response with an example in the same format. */
export function maskSecretsInReply(entry: EndpointDefinition, status: number, body: unknown): unknown {
  if (!isObject(body)) return body;
  return example(status < 300 ? fieldsWith(entry, Number(body.resultCode)) : undefined, body);
}

function example(schema: z.ZodType | undefined, value: Record<string, unknown>): Record<string, unknown> {
  const shown = masked(redact(schema, value), value);
  return isObject(shown) ? shown : {};
}

/** Replaces each secret with an example in the same format. */
function masked(redacted: unknown, value: unknown): unknown {
  if (redacted === REDACTED) return standIn(value);
  if (Array.isArray(value)) {
    return value.map((item, index) => masked(Array.isArray(redacted) ? redacted[index] : undefined, item));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      PLAIN.has(key) ? part : masked(isObject(redacted) ? redacted[key] : undefined, part),
    ]),
  );
}

function standIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(standIn);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, PLAIN.has(key) ? part : standIn(part)]));
  if (typeof value !== 'string' || value === '') return value;
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)) return 'eyJhbGciOiJFUzI1NiJ9.eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl';
  if (/^https?:/.test(value)) return `${new URL(value).origin}/example`;
  if (value.startsWith('/')) return '/example';
  const length = Math.min(value.length, LONGEST);
  return (/^\d+$/.test(value) ? '1234567890' : 'example').repeat(length).slice(0, length);
}

/**
 * Fields that aren't secret and have few valid values: public key parameters, and configurations, which contain no
 * secrets in our tests.
 */
const PLAIN: ReadonlySet<string> = new Set(['kty', 'crv', 'configuration']);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
