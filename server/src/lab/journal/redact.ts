import { isSecret } from '@orchestrate/shared';
import { z } from 'zod';

/** Placeholder for a secret. */
export const REDACTED = '[secret]';

/** Matches names of secrets that our schemas don't describe: OAuth, OpenID Connect, SAML, SCIM and query parameters. */
const SECRET_NAME =
  /^(?:code|device_code|user_code|otp|d|[qd]id|qidCode|aid|jws|proof|loginId|appLoginId|approvalId|registrationId|challengeId|pairingId)$|(?:token|secret|password|activationCode|_verifier|privateKey|assertion|_hint|SAMLResponse|SAMLRequest|clientDataJSON|Jwk|set-?cookie|cookie|authorization)$/i;

/**
 * Matches names that are secret only as query parameters. In a body, for example, `state` is the progress of a
 * sign-in.
 */
const SECRET_PARAMETER = /^(?:id|app|state|nonce|RelayState|xsrf|Signature)$/;

/**
 * Matches a signed or encrypted token in compact form (RFC 7515 §7.1, RFC 7516 §7.1). Its header starts with encoded
 * JSON.
 */
const TOKEN = /\beyJ[\w-]*(?:\.[\w-]*){2,4}/g;

/** Redacts tokens that a client has put into a string. */
export const redactTokens = (text: string): string => (text.includes('eyJ') ? text.replaceAll(TOKEN, REDACTED) : text);

/** Maximum recorded nesting depth, enough for all valid values. */
const DEPTH_MAX = 12;

/** Redacts the fields that a schema marks as `secret`. Fields without a schema are redacted by name. */
export function redact(schema: z.ZodType | undefined, value: unknown, depth = 0): z.core.util.JSONType {
  if (value === undefined || value === null) return null;
  if (depth > DEPTH_MAX) return '…';
  if (!schema) return redactByName(value, '', depth);
  if (isSecret(schema)) return REDACTED;
  const inner = unwrapSchema(schema);
  if (inner) return redact(inner, value, depth);
  if (schema instanceof z.ZodUnion) return redact(optionFor(schema, value), value, depth);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => redact(schema.element as z.ZodType, item, depth + 1));
  }
  if (schema instanceof z.ZodObject && isObject(value)) {
    const shape: Record<string, z.ZodType> = schema.shape;
    return mapped(value, (name, part) =>
      shape[name] ? redact(shape[name], part, depth + 1) : redactByName(part, name, depth + 1),
    );
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return plain(value);
  return redactByName(value, '', depth);
}

/** Redacts a value by field names alone. */
export function redactByName(value: unknown, name = '', depth = 0): z.core.util.JSONType {
  if (value === undefined || value === null) return null;
  if (depth > DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.map((item) => redactByName(item, name, depth + 1));
  if (isObject(value)) return mapped(value, (key, part) => redactByName(part, key, depth + 1));
  return SECRET_NAME.test(name) && typeof value === 'string' && value !== '' ? REDACTED : plain(value);
}

/** Redacts a query that doesn't have a schema. */
export function redactQuery(query: unknown): z.core.util.JSONType {
  if (!isObject(query)) return {};
  return mapped(query, (name, part) => (SECRET_PARAMETER.test(name) ? REDACTED : redactByName(part, name)));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const mapped = (value: Record<string, unknown>, of: (name: string, part: unknown) => z.core.util.JSONType) =>
  Object.fromEntries(Object.entries(value).map(([name, part]) => [name, of(name, part)]));

/** Unwraps an optional or transformed schema. */
export function unwrapSchema(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly)
    return schema.unwrap() as z.ZodType;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodCatch)
    return schema.unwrap() as z.ZodType;
  if (schema instanceof z.ZodPipe) {
    const { in: from, out } = schema;
    return (from instanceof z.ZodTransform ? out : from) as z.ZodType;
  }
  if (schema instanceof z.ZodLazy) return schema.unwrap() as z.ZodType;
  return undefined;
}

/** Returns the union option that matches a value. Without a match, the value must be redacted by name. */
function optionFor(schema: z.ZodUnion, value: unknown): z.ZodType | undefined {
  const options = schema.options as readonly z.ZodType[];
  return options.find((option) => option.safeParse(value).success);
}

/** Redacts a primitive value. A string can be a URL with secret parameters. */
function plain(value: unknown): z.core.util.JSONType {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const text = redactTokens(value);
  if (!/^https?:\/\/\S+[?#]\S/.test(text) || !URL.canParse(text)) return text;
  const address = new URL(text);
  for (const part of ['search', 'hash'] as const) {
    const params = new URLSearchParams(address[part].slice(1));
    const names = [...params.keys()].filter((name) => SECRET_NAME.test(name) || SECRET_PARAMETER.test(name));
    for (const name of names) params.set(name, REDACTED);
    if (names.length > 0) address[part] = params.toString();
  }
  return address.href;
}
