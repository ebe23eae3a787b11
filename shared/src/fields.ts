import { z } from 'zod';
import { RESERVED_SEGMENTS } from './first-segments.ts';
import { decodedPath } from './http.ts';
import { LIMITS } from './limits.ts';
import { collapseSpaces, composed } from './names.ts';
import { hiddenCharacter } from './readable.ts';

/** Message for a missing required field. */
export const FIELD_REQUIRED = 'This field is required';

/** Message for null in an optional field. */
export const OMIT_FIELD = 'This cannot be empty: provide a value or omit the field';

/** Message for a value that isn't a string. */
export const NOT_A_STRING = 'This must be a string';

const secrets = z.registry<{ isSecret: true }>();

/** Marks a field whose value is secret. The lab's journal shows `[secret]` instead of the value. */
export function secret<S extends z.ZodType>(schema: S): S {
  // Fields share their schemas, so a clone is marked instead.
  const marked = schema.clone();
  secrets.add(marked, { isSecret: true });
  return marked;
}

/** Returns true if `secret` marked exactly this schema. */
export const isSecret = (schema: z.ZodType): boolean => secrets.has(schema);

const portalTexts = z.registry<{ isPortalText: true }>();

/** Marks a field that contains text written by the portal. Such text is sent in the reader's language. */
export function portalText<S extends z.ZodType>(schema: S): S {
  const marked = schema.clone();
  portalTexts.add(marked, { isPortalText: true });
  return marked;
}

/** Returns true if `portalText` marked exactly this schema. */
export const isPortalText = (schema: z.ZodType): boolean => portalTexts.has(schema);

/** Fields used throughout the contract: trimmed, bounded, with a user-facing message. */

/**
 * Shares one schema between equal options. Every program that loads the contract pays for its schemas, and most of
 * its hundreds of strings are alike.
 */
function shared<Options extends unknown[], S extends z.ZodType>(make: (...options: Options) => S) {
  const schemas = new Map<string, S>();
  return (...options: Options): S => {
    const key = JSON.stringify(options);
    const schema = schemas.get(key) ?? make(...options);
    schemas.set(key, schema);
    return schema;
  };
}

/** Trimmed, non-empty string of at most `max` characters. */
export const text = shared((max: number, required: string = FIELD_REQUIRED) =>
  // Uses a single check, because each link of a chain would create a separate schema.
  z.string(required).check(z.trim(), z.minLength(1, required), z.maxLength(max, `At most ${max} characters`)),
);

/** Trimmed string of at most `max` characters, which can be empty. */
export const optionalText = shared((max: number) => z.string().trim().max(max, `At most ${max} characters`));

/** Refuses hidden characters. The same rule applies to names, titles and labels (`readable.ts`). */
const isReadable = (isMultiline: boolean) => (value: string, context: z.RefinementCtx<string>) => {
  const message = hiddenCharacter(value, isMultiline);
  if (message) context.addIssue({ code: 'custom', message });
};

/** A string that people read and base decisions on: like `text`, but without invisible characters. */
export const displayText = shared((max: number, required: string = FIELD_REQUIRED) =>
  text(max, required).superRefine(isReadable(false)),
);

/**
 * A string that people read, which can be empty.
 * @param isMultiline true to allow line breaks
 */
export const optionalDisplayText = shared((max: number, { isMultiline = false } = {}) =>
  optionalText(max).superRefine(isReadable(isMultiline)),
);

/** An object's name: `displayText` with single spaces between words. */
export const nameText = shared((max: number) => displayText(max).overwrite(collapseSpaces));

/** A first or last name in composed form, which makes equal names equal strings. */
export function personName(required?: string) {
  return displayText(LIMITS.personNameMaxLength, required).overwrite((name) => collapseSpaces(composed(name)));
}

/** An opaque ID issued by this server: letters, digits, `-` and `_`. */
export const id = text(64).regex(/^[\w-]+$/, 'This is not a valid ID');

export const orgCode = text(40)
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'Organisation codes can only contain letters, digits and hyphens');

/** Code for a new organisation. */
export const newOrgCode = orgCode.refine(
  (code) => !RESERVED_SEGMENTS.has(code),
  'The portal uses this address for its own pages. Choose another code',
);

export const email = text(254).toLowerCase().pipe(z.email('Please enter a valid email address'));

export const activationCode = secret(text(20));

/** A scanned or typed code. Case, spaces and hyphens in typed codes are ignored. */
export const code = secret(text(128));

/** ISO 8601 in UTC, like all times on the wire. */
export const time = z.iso.datetime();

/**
 * Latest time that the clock can be set to, in milliseconds. Audit event IDs start with their time and would exceed a
 * safe integer in 2248.
 */
export const LATEST_CLOCK = Date.UTC(2200, 0);

/** A time that the portal's clock can be set to. */
export const clockTime = time
  .refine((at) => !(Date.parse(at) > LATEST_CLOCK), 'The clock cannot be set beyond 2200')
  .refine((at) => !(Date.parse(at) < 0), 'The clock cannot be set before 1970');

export const nickname = z
  .string()
  .trim()
  .overwrite(collapseSpaces)
  .max(LIMITS.nicknameMaxLength, `At most ${LIMITS.nicknameMaxLength} characters`)
  .refine(
    (value) => value === '' || value.length >= LIMITS.nicknameMinLength,
    `Nicknames must have at least ${LIMITS.nicknameMinLength} characters`,
  )
  .superRefine(isReadable(false));

/** A compact JWS: three base64url parts. */
export const jws = secret(
  z
    .string()
    .max(8_192)
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'This is not a compact JWS'),
);

/**
 * A whole number of at least `min`. `tooMuch` is the message for a number above the maximum. An empty number field
 * (NaN) is reported as required.
 */
export function wholeNumber(min: number, max: number, tooMuch: string) {
  const rule = `Enter a whole number of at least ${min}`;
  const isEmpty = (input: unknown) => input === undefined || Number.isNaN(input);
  const isTooMuch = (input: unknown) => typeof input === 'number' && input > max;
  return z
    .int({ error: ({ input }) => (isEmpty(input) ? FIELD_REQUIRED : isTooMuch(input) ? tooMuch : rule) })
    .min(min, rule)
    .max(max, tooMuch);
}

/** A number in a query string. */
export const queryNumber = shared((min: number, max: number) => z.coerce.number().int().min(min).max(max));

/**
 * A path that the portal serves, in decoded form and without a query string. A final `*` matches everything below,
 * `:name` and `{name}` match any one segment.
 */
export const servedPath = text(500)
  .regex(/^\/[^?#\s]*$/, 'Paths must start with / and cannot have a query string')
  .refine(
    (path) => !path.replace(/\/\*$/, '').includes('*'),
    '* is only allowed at the end, where it matches everything below',
  )
  .overwrite(decodedPath);
