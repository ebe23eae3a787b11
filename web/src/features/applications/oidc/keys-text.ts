import { t } from '@lingui/core/macro';
import { type ClientKeys, clientKeys } from '@orchestrate/shared';
import { z } from 'zod';

/** Schema for pasted keys: a JWK Set or a single key in JSON, or '' for no keys. */
export const keysTextSchema = z
  .string()
  .trim()
  .max(20_000, t`Use at most 20,000 characters`)
  .superRefine((text, context) => {
    if (text === '') return;
    const json = jsonOf(text);
    if (json === undefined) return context.addIssue({ code: 'custom', message: t`Enter valid JSON` });
    const wrong = clientKeys.safeParse(asSet(json)).error?.issues[0];
    if (wrong) context.addIssue({ code: 'custom', message: wrong.message });
  });

/** Parses text that `keysTextSchema` accepts. Returns null for no keys. */
export const parseKeys = (text: string): ClientKeys | null => clientKeys.safeParse(asSet(jsonOf(text))).data ?? null;

/** Formats keys as editable text. */
export const formatKeys = (keys: ClientKeys | null): string => (keys ? JSON.stringify(keys, null, 2) : '');

function asSet(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'kty' in json ? { keys: [json] } : json;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
