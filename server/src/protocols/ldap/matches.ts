import { foldCase } from '@orchestrate/db';
import { type MatchingRule, ruleOf } from './attributes.ts';
import type { LdapFilter } from './filter.ts';
import type { LdapEntry } from './message.ts';
import { canonical } from './names.ts';

type Values = (attribute: string) => readonly string[];
/** undefined where it cannot be said, as of an attribute that nobody knows (RFC 4511 §4.5.1.7). */
type Verdict = (valuesOf: Values) => boolean | undefined;

/** Reads a filter once for many entries: it may be as long as a message. @returns whether an entry meets it */
export function matcherOf(filter: LdapFilter): (entry: LdapEntry) => boolean {
  const verdict = verdictOf(filter);
  return ({ attributes }) => {
    const byName = new Map(Object.entries(attributes).map(([name, values]) => [name.toLowerCase(), values]));
    return verdict((name) => byName.get(name) ?? []) === true;
  };
}

function verdictOf(filter: LdapFilter): Verdict {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map(verdictOf);
      return (valuesOf) =>
        decided(
          parts.map((part) => part(valuesOf)),
          filter.op === 'or',
        );
    }
    case 'not': {
      const inner = verdictOf(filter.filter);
      return (valuesOf) => {
        const found = inner(valuesOf);
        return found === undefined ? undefined : !found;
      };
    }
    case 'unknown':
      return () => undefined;
    case 'present':
      return (valuesOf) => valuesOf(filter.attribute).length > 0;
    default: {
      const rule = ruleOf(filter.attribute);
      const test = rule && (filter.op === 'substrings' ? partsTest(rule, filter) : comparedTest(rule, filter));
      return (valuesOf) => test && valuesOf(filter.attribute).some(test);
    }
  }
}

/** @param strongest the answer that one part is enough for */
function decided(parts: readonly (boolean | undefined)[], strongest: boolean): boolean | undefined {
  if (parts.includes(strongest)) return strongest;
  return parts.includes(undefined) ? undefined : !strongest;
}

type Test = (value: string) => boolean;

/** @returns undefined where the rule does not know this comparison, or the wanted value is not of its syntax */
function comparedTest(
  rule: MatchingRule,
  { op, value: wanted }: { op: 'eq' | 'ge' | 'le'; value: string },
): Test | undefined {
  if (rule === 'integer') {
    if (!/^(0|-?[1-9]\d*)$/.test(wanted)) return undefined;
    const number = Number(wanted);
    if (op === 'eq') return (value) => Number(value) === number;
    return op === 'ge' ? (value) => Number(value) >= number : (value) => Number(value) <= number;
  }
  const key = rule === 'name' ? canonical(wanted) : wanted;
  if (op !== 'eq' || key === undefined) return undefined;
  const folded = foldCase(key);
  return (value) => foldCase(value) === folded;
}

function partsTest(rule: MatchingRule, wanted: Extract<LdapFilter, { op: 'substrings' }>): Test | undefined {
  if (rule !== 'text') return undefined;
  const [initial, final] = [foldCase(wanted.initial), foldCase(wanted.final)];
  const any = wanted.any.map(foldCase);
  return (value) => hasParts(foldCase(value), { initial, any, final });
}

function hasParts(value: string, { initial, any, final }: { initial: string; any: string[]; final: string }): boolean {
  if (!value.startsWith(initial) || !value.endsWith(final)) return false;
  let at = initial.length;
  for (const part of any) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= value.length - final.length;
}
