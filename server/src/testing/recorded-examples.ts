import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type EndpointDefinition, fieldsWith } from '@orchestrate/shared';
import type { z } from 'zod';
import type { Example, Examples } from '../features/reference/examples.ts';
import { redact, SECRET } from '../lab/journal/redact.ts';

const FILE = join(import.meta.dirname, '../features/reference/examples.json');
/** Items of a list that an example shows. */
const SHOWN = 2;
/** Characters of a stand-in: as many as a secret has, but not a page of them. */
const LONGEST = 64;

interface Answered {
  status: number;
  body: unknown;
}

/** What endpoints were asked and answered, as examples of the reference: without secrets, and with short lists. */
export class RecordedExamples {
  readonly #seen: Record<string, Example> = {};

  /** @param url origin of the portal, which is another one each time */
  add(entry: EndpointDefinition, input: object, answer: Answered, url: string): void {
    const name = NAMES.get(entry);
    if (!name) return;
    const { status, body } = JSON.parse(JSON.stringify(answer).replaceAll(url, 'http://localhost:3000'));
    const isJson = Object.keys(body).length > 0;
    this.#seen[name] ??= { request: requestOf(entry, input), replies: [] };
    const { replies } = this.#seen[name];
    const isFirstSuccess = !('resultName' in body) && replies.every((reply) => 'resultName' in reply.body);
    if (isFirstSuccess) this.#seen[name].request = requestOf(entry, input);
    if (!isJson || replies.some((reply) => reply.body.resultCode === body.resultCode)) return;
    const reply = {
      status,
      body: isObject(body) ? example(status < 300 ? fieldsWith(entry, body.resultCode) : undefined, body) : {},
    };
    // The success comes first, also where a refusal was recorded before it.
    if (isFirstSuccess) replies.unshift(reply);
    else replies.push(reply);
  }

  write(): void {
    const old: Examples = JSON.parse(readFileSync(FILE, 'utf8'));
    writeFileSync(FILE, `${JSON.stringify(renewed(old, this.#seen), null, 2)}\n`);
  }
}

/** An example stays where only its values would be others, so that a recording changes no more than the wire did. */
export function renewed(old: Examples, seen: Examples): Examples {
  const examples = Object.entries(seen).map(([name, example]) => {
    const known = old[name];
    return [name, known && shapeOf(known) === shapeOf(example) ? known : example] as const;
  });
  return Object.fromEntries(examples.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const NAMES = new Map<unknown, string>(Object.entries(contract).map(([name, entry]) => [entry, name]));

function requestOf(entry: EndpointDefinition, input: object): Example['request'] {
  const { params, query, body }: { params?: unknown; query?: unknown; body?: unknown } = input;
  const sent =
    body instanceof FormData ? Object.fromEntries([...body].filter(([, value]) => typeof value === 'string')) : body;
  return {
    ...(isObject(params) && { params: example(entry.params, params) }),
    ...(isObject(query) && { query: example(entry.query, query) }),
    ...(isObject(sent) && { body: example(entry.body ?? entry.multipart, sent) }),
  };
}

function example(schema: z.ZodType | undefined, value: Record<string, unknown>): Record<string, unknown> {
  const shown = masked(redact(schema, value), value);
  return isObject(shown) ? shown : {};
}

/** The value with something of the same form in the place of each secret. */
function masked(redacted: unknown, value: unknown): unknown {
  if (redacted === SECRET) return standIn(value);
  if (Array.isArray(value)) {
    return value
      .slice(0, SHOWN)
      .map((item, index) => masked(Array.isArray(redacted) ? redacted[index] : undefined, item));
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
  if (Array.isArray(value)) return value.slice(0, SHOWN).map(standIn);
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
 * Not secret themselves, and hardly another value is valid: parts of a key, and a configuration, which may contain
 * secrets but contains none where our tests send one.
 */
const PLAIN: ReadonlySet<string> = new Set(['kty', 'crv', 'configuration']);

/** Numbers that are part of a shape. */
const NUMBERS: ReadonlySet<string> = new Set(['status', 'resultCode']);

/** Which fields there are, of which types, and which results. */
const shapeOf = (value: unknown): string =>
  JSON.stringify(value, (key, part) =>
    typeof part === 'object' || (typeof part === 'number' && NUMBERS.has(key)) ? part : typeof part,
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
