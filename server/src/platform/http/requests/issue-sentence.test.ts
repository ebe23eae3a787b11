import { email, seconds } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testPortal } from '#testing/test-portal.ts';
import { Refusal } from '../../refusal.ts';
import { readPart } from './read-request.ts';

/** Returns the validation issues of an input. */
function issuesOf(schema: z.ZodType | undefined, raw: unknown): { path: string; message: string }[] {
  try {
    if (schema) readPart(schema, raw);
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal.issues ?? [];
    throw refusal;
  }
  return [];
}

/** Returns the message for an invalid value. */
const messageOf = (schema: z.ZodType, value: unknown) => issuesOf(z.object({ value: schema }), { value })[0]?.message;

const fieldsOf = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

test.each([
  [z.enum(['mobile', 'desktop']), 'watch', 'Choose mobile or desktop'],
  [z.enum(['QID', 'DID', 'PUSH']), 7, 'Choose QID, DID or PUSH'],
  [z.enum(['mobile', 'desktop']), undefined, 'This field is required'],
  [z.enum([...'ABCDEFGHI']), 'x', 'This is not an allowed value'],
  [z.literal('LOST_DEVICE'), 'x', 'This must be LOST_DEVICE'],
  [z.int().min(0), 'ten', 'This must be a number'],
  [z.int().min(0), 1.5, 'This must be a whole number'],
  [z.int().min(0), -1, 'At least 0'],
  [z.int().max(100), 101, 'At most 100'],
  [z.coerce.number(), 'ten', 'This must be a number'],
  [z.number(), null, 'This field is required'],
  [z.boolean(), 'yes', 'This must be true or false'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'At most 2 entries'],
  [z.array(z.string()), 'a', 'This must be a list'],
  [z.string().max(3), 'four', 'At most 3 characters'],
  [z.string(), 4, 'This must be a string'],
  [z.object({}), 'x', 'This must be an object'],
  [z.iso.datetime(), 'tomorrow', 'This must be a time such as 2026-11-20T08:00:00Z'],
  [z.string().regex(/^x$/), 'y', 'This is not in the expected format'],
])('returns a readable error message (case %#)', (schema, value, sentence) =>
  expect(messageOf(schema, value)).toBe(sentence),
);

test('reports the same message for a field only once', () => {
  const address = z.string().min(3, 'Invalid URL').regex(/:/, 'Invalid URL');
  expect(issuesOf(z.object({ address }), { address: '' })).toEqual([{ path: 'address', message: 'Invalid URL' }]);
});

test('uses the message defined in the contract, if any', () => {
  expect(messageOf(seconds, -1)).toBe('Enter a whole number of at least 0');
  expect(messageOf(seconds, undefined)).toBe('This field is required');
  expect(messageOf(email, 'nobody')).toBe('Please enter a valid email address');
});

/** Zod's default messages, which the portal replaces. */
const ENGLISH_OF_ZOD = /^(Invalid (input|option|string|number)|Too (big|small)|Unrecognized)/;

// covers: spec 2.5.16, security 2.2.2
test('never returns a default zod message for invalid input', async () => {
  const portal = await testPortal();
  const odd = [
    undefined,
    null,
    'x'.repeat(70),
    'x'.repeat(30_000),
    '',
    -1.5,
    1e300,
    Array(300).fill({}),
    {},
    true,
    [{}],
  ];
  for (const { method, path, body, query, params } of portal.deps.registered.endpoints) {
    for (const part of [body, query, params]) {
      for (const name of fieldsOf(part)) {
        for (const value of odd) {
          for (const { path: field, message } of issuesOf(part, { [name]: value }))
            expect(message, `${method} ${path}: ${field}`).not.toMatch(ENGLISH_OF_ZOD);
        }
      }
    }
  }
  await portal.close();
});
