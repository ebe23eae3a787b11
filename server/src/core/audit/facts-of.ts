import { AUDIT_CHANGED, type AuditValue, maskAddress } from '@orchestrate/shared';
import type { AuditFacts } from './record.ts';

/**
 * Flattens an object into facts. Nested values are named by their path, e.g. `client.redirectUris`. Lists of strings
 * stay lists; other lists become JSON.
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

/**
 * Returns the facts before and after a change, with masked URLs (decision 080). If only the hidden part of the URL
 * changes, the new URL is recorded as `AUDIT_CHANGED`.
 */
export function factsWithMaskedUrl<Before extends Addressed | undefined, After extends Addressed | undefined>(
  before: Before,
  after: After,
) {
  const [from, to] = [masked(before), masked(after)];
  const isHidden = before?.url !== after?.url && from?.url === to?.url;
  return {
    before: (from && factsOf({ ...from, ...(isHidden && { url: undefined }) })) as FactsFor<Before>,
    after: (to && factsOf({ ...to, ...(isHidden && { url: AUDIT_CHANGED }) })) as FactsFor<After>,
  };
}

interface Addressed {
  url: string;
}
type FactsFor<Side> = Side extends undefined ? undefined : AuditFacts;

const masked = (side: Addressed | undefined) => side && { ...side, url: maskAddress(side.url) };

function auditValueOf(value: unknown): AuditValue {
  if (Array.isArray(value) && value.every((element) => typeof element === 'string')) return value;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain || value === null ? value : JSON.stringify(value);
}
