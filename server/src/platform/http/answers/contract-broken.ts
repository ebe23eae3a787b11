import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

/** Thrown if a handler's result or refusal doesn't match its contract entry, which is a defect of the portal. */
export class ContractBroken extends Error {}

/**
 * Parses a returned value with its contract schema. Undeclared fields are never sent.
 * @param mayLack true to drop undeclared fields silently instead of throwing
 * @throws ContractBroken
 */
export function requireContract<Schema extends z.ZodType>(
  schema: Schema,
  returned: unknown,
  name: string,
  mayLack = false,
): z.output<Schema> {
  const parsed = schema.safeParse(returned);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the top level'}: ${message}`);
    throw new ContractBroken(`${name} does not match its contract: ${issues.join('; ')}.`);
  }
  if (!mayLack) {
    const paths = differingPaths(onTheWire(parsed.data), onTheWire(returned));
    if (paths.length > 0) throw new ContractBroken(`${name} differs from its contract at: ${paths.join(', ')}.`);
  }
  return parsed.data;
}

/**
 * Returns the paths at which two JSON values differ. The values themselves are left out because they can be secrets.
 */
function differingPaths(expected: unknown, actual: unknown, path = ''): string[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual)) return [path || 'the top level'];
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) => differingPaths(expected[key], actual[key], path ? `${path}.${key}` : key));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
