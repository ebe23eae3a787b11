import { isSecret } from '@orchestrate/shared';
import { z } from 'zod';

/** What stands in the place of a secret. */
export const SECRET = '[secret]';

/** What carries secrets where no schema of ours describes it: OAuth, OpenID Connect, SAML, SCIM, addresses. */
const SECRET_NAME =
  /^(?:code|device_code|user_code|otp|d|[qd]id|qidCode|aid|jws|proof|loginId|appLoginId|approvalId|registrationId|challengeId|pairingId)$|(?:token|secret|password|activationCode|_verifier|privateKey|assertion|_hint|SAMLResponse|SAMLRequest|clientDataJSON|Jwk|set-?cookie|cookie|authorization)$/i;

/** Secret only as parameters of an address; elsewhere `state` is a progress. */
const SECRET_PARAMETER = /^(?:id|app|state|nonce|RelayState|xsrf|Signature)$/;

/** A signed or encrypted token in its compact form (RFC 7515 §7.1, RFC 7516 §7.1): its header begins as JSON does. */
const TOKEN = /\beyJ[\w-]*(?:\.[\w-]*){2,4}/g;

/** A text without the tokens in it, which a client may put where nothing secret belongs. */
export const withoutTokens = (text: string): string => (text.includes('eyJ') ? text.replaceAll(TOKEN, SECRET) : text);

/** Deep enough for everything that is sent; a deeper value is not worth keeping. */
const DEPTH_MAX = 12;

/** A value as its schema describes it, without what `secret` marks there; the rest as `redactByName`. */
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

/** A value whose names alone say what is secret. */
export function redactByName(value: unknown, name = '', depth = 0): z.core.util.JSONType {
  if (value === undefined || value === null) return null;
  if (depth > DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.map((item) => redactByName(item, name, depth + 1));
  if (isObject(value)) return mapped(value, (key, part) => redactByName(part, key, depth + 1));
  return SECRET_NAME.test(name) && typeof value === 'string' && value !== '' ? SECRET : plain(value);
}

/** The query of an address that no schema describes. */
export function redactQuery(query: unknown): z.core.util.JSONType {
  if (!isObject(query)) return {};
  return mapped(query, (name, part) => (SECRET_PARAMETER.test(name) ? SECRET : redactByName(part, name)));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const mapped = (value: Record<string, unknown>, of: (name: string, part: unknown) => z.core.util.JSONType) =>
  Object.fromEntries(Object.entries(value).map(([name, part]) => [name, of(name, part)]));

/** The schema inside one that only says when a value may be missing, or how it is read. */
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

/** The option of a union that a value meets; for one that meets none nothing is known but its names. */
function optionFor(schema: z.ZodUnion, value: unknown): z.ZodType | undefined {
  const options = schema.options as readonly z.ZodType[];
  return options.find((option) => option.safeParse(value).success);
}

/** A text without the secrets of the address that it may be. */
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
