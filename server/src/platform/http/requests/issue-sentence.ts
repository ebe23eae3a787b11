import { FIELD_REQUIRED, NOT_A_STRING } from '@orchestrate/shared';
import { z } from 'zod';
import { nearest } from '../../nearest.ts';

type Issue = z.core.$ZodRawIssue;

const WRONG_TYPES: Record<string, string> = {
  number: 'This must be a number',
  int: 'This must be a whole number',
  string: NOT_A_STRING,
  boolean: 'This must be true or false',
  array: 'This must be a list',
  object: 'This must be an object',
  record: 'This must be an object',
};

const WRONG_FORMATS: Record<string, string> = {
  email: 'Please enter a valid email address',
  url: 'Invalid URL',
  datetime: 'This must be a time such as 2026-11-20T08:00:00Z',
};

/** Units of `maximum` and `minimum`, by value type. */
const COUNTED: Record<string, string> = { string: ' characters', array: ' entries', set: ' entries', file: ' bytes' };

/**
 * Returns the message for an issue if the contract doesn't define one. Passed to zod as the error map of a parse,
 * which takes precedence over zod's default English messages. Returns undefined if there is nothing better than zod's
 * message.
 */
export function issueMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return FIELD_REQUIRED;
      return WRONG_TYPES[issue.expected];
    case 'invalid_value':
      return issue.input === undefined || issue.input === null ? FIELD_REQUIRED : oneOf(issue.values, issue.input);
    case 'unrecognized_keys':
      return unknownField(issue.keys, issue.inst);
    case 'invalid_key':
      return issue.issues[0]?.message;
    case 'too_small':
      return `At least ${issue.minimum}${COUNTED[issue.origin] ?? ''}`;
    case 'too_big':
      return `At most ${issue.maximum}${COUNTED[issue.origin] ?? ''}`;
    case 'invalid_format':
      return WRONG_FORMATS[issue.format] ?? 'This is not in the expected format';
    default:
      return undefined;
  }
}

/**
 * Returns the message for the value at an issue's path. Many fields define only a "required" message, because a form
 * value is either a string or absent. If the value is present but has another type, the message names the expected
 * type instead.
 */
export function messageAt(issue: z.core.$ZodIssue, raw: unknown): string {
  if (issue.code !== 'invalid_type' || issue.message !== FIELD_REQUIRED) return issue.message;
  // An empty path means the whole document, for which "This field is required" would be wrong.
  if (issue.path.length === 0) return WRONG_TYPES[issue.expected] ?? issue.message;
  const input = issue.path.reduce<unknown>((value, part) => Object(value)[part], raw);
  return issueMessage({ ...issue, input }) ?? issue.message;
}

/** Maximum number of values listed in a message. */
const NAMED_MAX = 8;

function oneOf(values: readonly unknown[], given: unknown): string {
  const words = values.map(String);
  if (words.length > NAMED_MAX)
    return `This is not an allowed value${typeof given === 'string' ? meant(given, words) : ''}`;
  const last = words.pop();
  return words.length > 0 ? `Choose ${words.join(', ')} or ${last}` : `This must be ${last}`;
}

/** Returns one message for all unknown fields of an object. The message is reported at each field's path. */
function unknownField(keys: readonly string[], schema: unknown): string {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const known = Object.keys(shape);
  const free = known.filter((name) => !keys.includes(name));
  const [key = ''] = keys;
  if (keys.length > 1) return `${UNKNOWN_FIELD}. Known fields: ${known.join(', ')}`;
  const misplaced = free.find((name) => isFieldOf(shape[name], key));
  return `${UNKNOWN_FIELD}${misplaced === undefined ? meant(key, free) : `. Did you mean ${misplaced}.${key}?`}`;
}

const UNKNOWN_FIELD = 'This field does not exist';

function isFieldOf(schema: unknown, name: string): boolean {
  const inner = schema instanceof z.ZodType ? withoutWrappers(schema) : undefined;
  return inner instanceof z.ZodObject && Object.hasOwn(inner.shape, name);
}

/**
 * Returns an issue for each field that a schema would silently drop, at any depth.
 * @param raw the value before it is parsed
 */
export function undeclaredFields(schema: z.core.$ZodType, raw: unknown, path: PropertyKey[] = []): z.core.$ZodIssue[] {
  const inner = withoutWrappers(schema);
  if (inner instanceof z.ZodArray) {
    const items: unknown[] = Array.isArray(raw) ? raw : [];
    return items.flatMap((item, at) => undeclaredFields(inner.element, item, [...path, at]));
  }
  if (inner instanceof z.ZodUnion) {
    // Only the first option that accepts the value has any effect. If there is none, the parse reports the issues.
    const used = inner.options.find((option) => z.safeParse(option, raw).success);
    return used ? undeclaredFields(used, raw, path) : [];
  }
  if (!(inner instanceof z.ZodObject) || typeof raw !== 'object' || raw === null || Array.isArray(raw)) return [];
  const { shape, def } = inner;
  return Object.entries(raw).flatMap(([key, value]): z.core.$ZodIssue[] => {
    const place = [...path, key];
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field) return undeclaredFields(field, value, place);
    // A schema with a catchall accepts or refuses other fields itself.
    if (def.catchall) return [];
    return [{ code: 'unrecognized_keys', keys: [key], path: place, message: unknownField([key], inner) }];
  });
}

/** Returns the schema that reads a field's value, without defaults and similar wrappers. */
function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return withoutWrappers(schema.in);
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodReadonly) return withoutWrappers(schema.unwrap());
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapped ? withoutWrappers(schema.unwrap()) : schema;
}

const meant = (given: string, known: readonly string[]): string => {
  const name = nearest(given, known);
  return name === undefined ? '' : `. Did you mean ${name}?`;
};
