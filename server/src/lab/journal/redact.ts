import { isSecret } from '@orchestrate/shared';
import { z } from 'zod';

/** Replaces a secret. */
export const SECRET = '[secret]';

/** Names of secrets not described by our schemas: OAuth, OpenID Connect, SAML, SCIM, query parameters. */
const SECRET_NAME =
  /^(?:code|device_code|user_code|otp|d|[qd]id|qidCode|aid|jws|proof|loginId|appLoginId|approvalId|registrationId|challengeId|pairingId)$|(?:token|secret|password|activationCode|_verifier|privateKey|assertion|_hint|SAMLResponse|SAMLRequest|clientDataJSON|Jwk|set-?cookie|cookie|authorization)$/i;

/** Names that are secret only as query parameters; elsewhere `state` is a progress. */
const SECRET_PARAMETER = /^(?:id|app|state|nonce|RelayState|xsrf|Signature)$/;

/** A signed or encrypted token in compact form (RFC 7515 §7.1, RFC 7516 §7.1), whose header starts like JSON. */
const TOKEN = /\beyJ[\w-]*(?:\.[\w-]*){2,4}/g;

/** Removes the tokens from a text, where a client may have put them. */
export const withoutTokens = (text: string): string => (text.includes('eyJ') ? text.replaceAll(TOKEN, SECRET) : text);

/** Maximum recorded depth, enough for all valid values. */
const DEPTH_MAX = 12;

/** Redacts the parts of a value that its schema marks as `secret`, and the rest by name. */
export function redact(schema: z.ZodType | undefined, value: unknown, depth = 0): z.core.util.JSONType {
  if (value === undefined || value === null) return null;
  if (depth > DEPTH_MAX) return '…';
  if (!schema) return redactByName(value, '', depth);
  if (isSecret(schema)) return SECRET;
  const inner = innerOf(schema);
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

/** Redacts a value by its names alone. */
export function redactByName(value: unknown, name = '', depth = 0): z.core.util.JSONType {
  if (value === undefined || value === null) return null;
  if (depth > DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.map((item) => redactByName(item, name, depth + 1));
  if (isObject(value)) return mapped(value, (key, part) => redactByName(part, key, depth + 1));
  return SECRET_NAME.test(name) && typeof value === 'string' && value !== '' ? SECRET : plain(value);
}

/** Redacts a query that no schema describes. */
export function redactQuery(query: unknown): z.core.util.JSONType {
  if (!isObject(query)) return {};
  return mapped(query, (name, part) => (SECRET_PARAMETER.test(name) ? SECRET : redactByName(part, name)));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const mapped = (value: Record<string, unknown>, of: (name: string, part: unknown) => z.core.util.JSONType) =>
  Object.fromEntries(Object.entries(value).map(([name, part]) => [name, of(name, part)]));

/** Unwraps a schema that only makes another optional or transforms it. */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
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

/** Returns the union's option that a value matches; without one, it is redacted by name. */
function optionFor(schema: z.ZodUnion, value: unknown): z.ZodType | undefined {
  const options = schema.options as readonly z.ZodType[];
  return options.find((option) => option.safeParse(value).success);
}

/** Hides the secrets of a text that may be a URL. */
function plain(value: unknown): z.core.util.JSONType {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const text = withoutTokens(value);
  if (!/^https?:\/\/\S+[?#]\S/.test(text) || !URL.canParse(text)) return text;
  const address = new URL(text);
  for (const part of ['search', 'hash'] as const) {
    const params = new URLSearchParams(address[part].slice(1));
    const names = [...params.keys()].filter((name) => SECRET_NAME.test(name) || SECRET_PARAMETER.test(name));
    for (const name of names) params.set(name, SECRET);
    if (names.length > 0) address[part] = params.toString();
  }
  return address.href;
}
