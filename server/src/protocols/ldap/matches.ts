import { foldCase } from '@orchestrate/db';
import { type MatchingRule, matchingRuleOf } from './attributes.ts';
import type { LdapFilter } from './filter.ts';
import type { LdapEntry } from './message.ts';
import { canonicalDn } from './names.ts';
import { identifierKey } from './schema.ts';
import { parseGeneralizedTime } from './times.ts';

type Values = (attribute: string) => readonly string[];
/**
 * Evaluates a filter against an entry. Returns undefined if the filter can't be evaluated, e.g. for an unknown
 * attribute (RFC 4511 §4.5.1.7).
 */
type Verdict = (valuesOf: Values) => boolean | undefined;

/**
 * Compiles a filter once, because it is evaluated for many entries and can be as long as a message.
 * @returns a function that returns true for matching entries
 */
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
      const rule = matchingRuleOf(filter.attribute);
      const test = rule && (filter.op === 'substrings' ? partsTest(rule, filter) : comparedTest(rule, filter));
      return (valuesOf) => test && valuesOf(filter.attribute).some(test);
    }
  }
}

/**
 * Combines condition results with three-valued logic.
 * @param strongest the result that decides the combination if any condition has it
 */
function decided(parts: readonly (boolean | undefined)[], strongest: boolean): boolean | undefined {
  if (parts.includes(strongest)) return strongest;
  return parts.includes(undefined) ? undefined : !strongest;
}

type Test = (value: string) => boolean;

/**
 * Normalises values by matching rule, so that equivalent values become equal and ordering rules compare correctly.
 * Returns undefined if the value violates the syntax.
 */
const READ: Readonly<Record<Exclude<MatchingRule, 'definition'>, (value: string) => string | number | undefined>> = {
  text: spaced,
  telephone: digitsOf,
  identifier: identifierKey,
  integer: (value) => (/^(0|-?[1-9]\d*)$/.test(value) ? Number(value) : undefined),
  name: (value) => {
    const name = canonicalDn(value);
    return name === undefined ? undefined : foldCase(name);
  },
  time: parseGeneralizedTime,
  uuid: (value) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value.toLowerCase() : undefined),
};

const ORDERED: readonly MatchingRule[] = ['integer', 'time', 'uuid'];

/**
 * Returns a test for an equality or ordering comparison. @returns undefined if the rule doesn't support the
 * comparison, or the assertion value violates its syntax
 */
function comparedTest(
  rule: MatchingRule,
  { op, value: wanted }: { op: 'eq' | 'ge' | 'le'; value: string },
): Test | undefined {
  if (rule === 'definition' || (op !== 'eq' && !ORDERED.includes(rule))) return undefined;
  const read = READ[rule];
  const key = read(wanted);
  if (key === undefined) return undefined;
  return (value) => {
    const own = read(value);
    if (own === undefined || op === 'eq') return own === key;
    return op === 'ge' ? own >= key : own <= key;
  };
}

/** Normalises insignificant spaces (RFC 4518 §2.6.1): one space at each end, two between words. */
function spaced(text: string): string {
  const words = foldCase(text).split(/\s+/).filter(Boolean);
  return ` ${words.join('  ')} `;
}

/** Normalises spaces in a substring, which can start or end within a word. */
function spacedPart(text: string, where: 'initial' | 'any' | 'final'): string {
  if (text === '') return '';
  const folded = foldCase(text);
  const inner = folded.split(/\s+/).filter(Boolean).join('  ');
  if (inner === '') return ' ';
  const before = where === 'initial' || /^\s/.test(folded) ? ' ' : '';
  const after = where === 'final' || /\s$/.test(folded) ? ' ' : '';
  return before + inner + after;
}

/** Removes insignificant characters from a phone number (RFC 4518 §2.6.3). */
function digitsOf(text: string): string {
  return foldCase(text).replace(/[\s\p{Dash_Punctuation}]/gu, '');
}

function partsTest(rule: MatchingRule, wanted: Extract<LdapFilter, { op: 'substrings' }>): Test | undefined {
  if (rule !== 'text' && rule !== 'telephone') return undefined;
  const [whole, part] = rule === 'text' ? [spaced, spacedPart] : [digitsOf, digitsOf];
  const [initial, final] = [part(wanted.initial, 'initial'), part(wanted.final, 'final')];
  const any = wanted.any.map((text) => part(text, 'any'));
  return (value) => hasParts(whole(value), { initial, any, final });
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
