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

/** Units of `maximum` and `minimum`, by kind of value. */
const COUNTED: Record<string, string> = { string: ' characters', array: ' entries', set: ' entries', file: ' bytes' };

/**
 * The message for an issue for which the contract has no words of its own (used as the error map of a parse, which zod
 * asks before its English). Undefined: there is nothing better than zod's.
 */
export function issueSentence(issue: Issue): string | undefined {
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
      return WRONG_FORMATS[issue.format] ?? 'This does not have the expected format';
    default:
      return undefined;
  }
}

/**
 * What is wrong with the value at an issue's place. Many fields only have the sentence of forms, in which a value is a
 * text or absent; where it is there and of another kind, that is what is said.
 */
export function sentenceAt(issue: z.core.$ZodIssue, raw: unknown): string {
  if (issue.code !== 'invalid_type' || issue.message !== FIELD_REQUIRED) return issue.message;
  // The root isn't a field.
  if (issue.path.length === 0) return WRONG_TYPES[issue.expected] ?? issue.message;
  const input = issue.path.reduce<unknown>((value, part) => Object(value)[part], raw);
  return issueSentence({ ...issue, input }) ?? issue.message;
}

/** Maximum number of values listed in a message. */
const NAMED_MAX = 8;

function oneOf(values: readonly unknown[], given: unknown): string {
  const words = values.map(String);
  if (words.length > NAMED_MAX)
    return `This is not one of the allowed values${typeof given === 'string' ? meant(given, words) : ''}`;
  const last = words.pop();
  return words.length > 0 ? `Choose ${words.join(', ')} or ${last}` : `This can only be ${last}`;
}

/** One sentence for all unknown fields of an object: each is reported at its own path. */
function unknownField(keys: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const free = known.filter((name) => !keys.includes(name));
  const [key = ''] = keys;
  return `There is no such field${keys.length === 1 ? meant(key, free) : `. Known fields: ${known.join(', ')}`}`;
}

const meant = (given: string, known: readonly string[]): string => {
  const name = nearest(given, known);
  return name === undefined ? '' : `. Did you mean ${name}?`;
};
