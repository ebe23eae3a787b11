import type { AuditValue } from '@orchestrate/shared';
import type { AuditFacts } from './record.ts';

/**
 * Flattens an object into facts: nested values are named by their path, e.g. `client.redirectUris`. Lists of texts stay
 * lists; others become JSON.
 */
export function factsOf(object: object, prefix = ''): AuditFacts {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
      if (value === undefined) return [];
      const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isNested
        ? Object.entries(factsOf(value, `${prefix}${name}.`))
        : [[`${prefix}${name}`, auditValueOf(value)]];
    }),
  );
}

function auditValueOf(value: unknown): AuditValue {
  if (Array.isArray(value) && value.every((element) => typeof element === 'string')) return value;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain || value === null ? value : JSON.stringify(value);
}
