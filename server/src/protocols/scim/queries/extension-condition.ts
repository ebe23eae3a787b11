import type { memberFilterRepo } from '@orchestrate/db';
import {
  type Attribute,
  findAttribute,
  STORED_ATTRIBUTES,
  STORED_ENTERPRISE,
  STORED_NAME_PARTS,
  USER_ATTRIBUTES,
} from '../attributes.ts';
import { type Extension, extensionAt } from '../extensions.ts';
import { hasSimpleType } from '../resources/stored-attributes.ts';
import { type Filter, type FilterValue, invalid } from './filter.ts';

type Condition = memberFilterRepo.MemberCondition;
type Field = memberFilterRepo.StoredField;

/** Target of a path within registered extensions or stored attributes. */
export interface StoredTarget {
  attribute: Attribute;
  /** Targeted sub-attribute, or undefined for the whole attribute. */
  part: Attribute | undefined;
  /** JSON path of the attribute in a member's stored attributes. */
  at: string;
}

const quoted = (...names: string[]): string => names.map((name) => `."${name}"`).join('');

/** Lists with one element stored in columns and all others in stored attributes. */
const SPLIT_LISTS = USER_ATTRIBUTES.filter(({ name }) => name === 'emails' || name === 'phoneNumbers');

/**
 * Resolves a path. Returns undefined for attributes with their own columns. @returns 'unknown' for a sub-attribute
 * that the extension or attribute doesn't have
 */
export function resolveTarget(extensions: readonly Extension[], path: string): StoredTarget | 'unknown' | undefined {
  const named = extensionAt(extensions, path);
  if (!named) return targetOfKept(path);
  const { extension, rest } = named;
  return targetAmong(extension.attributes, rest, ['extensions', extension.urn]) ?? 'unknown';
}

function targetOfKept(path: string): StoredTarget | 'unknown' | undefined {
  const [head, sub] = path.split('.');
  if (head === 'name') return sub === undefined ? undefined : targetAmong(STORED_NAME_PARTS, sub, ['name']);
  return targetAmong(STORED_ATTRIBUTES, path, []) ?? targetAmong(STORED_ENTERPRISE, path, ['enterprise']);
}

/** Returns the stored elements of a list whose first element is stored in columns. */
export const storedElementsOf = (path: string): StoredTarget | 'unknown' | undefined =>
  targetAmong(SPLIT_LISTS, path, []);

/** Resolves a path among the given attributes. @param within JSON path of the stored values */
function targetAmong(
  attributes: readonly Attribute[],
  path: string,
  within: readonly string[],
): StoredTarget | 'unknown' | undefined {
  const [head = '', sub] = path.split('.');
  const attribute = findAttribute(attributes, head);
  if (!attribute) return undefined;
  const at = `$${quoted(...within, attribute.name)}`;
  // A complex attribute is compared by its `value` (RFC 7644 §3.4.2.2).
  const part = findAttribute(attribute.subAttributes ?? [], sub ?? 'value');
  const isWhole = sub === undefined || (sub === 'value' && attribute.multiValued && attribute.type !== 'complex');
  return part || isWhole ? { attribute, part, at } : 'unknown';
}

/** Returns a condition for members who have any value for the target. */
export function presenceCondition({ attribute, part, at }: StoredTarget): Condition {
  const path = part ? quoted(part.name) : '';
  if (!attribute.multiValued) return { op: 'present', column: { of: 'member', path: `${at}${path}`, kind: 'text' } };
  return { op: 'some', at, condition: { op: 'present', column: { of: 'element', path: `$${path}`, kind: 'text' } } };
}

/** Returns a condition for members who have any value, and therefore the schema, of an extension. */
export const extensionCondition = ({ urn }: Extension): Condition => ({
  op: 'present',
  column: { of: 'member', path: `$${quoted('extensions', urn)}`, kind: 'text' },
});

type Compared = Extract<Filter, { value: unknown }>;

/**
 * Returns a condition that compares the target with a value. @throws ScimError invalidFilter for an unsupported
 * comparison
 */
export function comparisonCondition(target: StoredTarget, filter: Compared): Condition {
  const { attribute, part, at } = target;
  const { op, value } = filter;
  if (value === null) {
    if (op === 'ne') return presenceCondition(target);
    if (op === 'eq') return { op: 'not', condition: presenceCondition(target) };
    throw invalid('null can only be compared using eq and ne');
  }
  const leaf = part ?? attribute;
  if (!attribute.multiValued) return comparing({ of: 'member', path: pathOf(target) }, leaf, filter);
  const element = { of: 'element', path: part ? `$${quoted(part.name)}` : '$' } as const;
  // `ne` matches only if all values differ.
  if (op === 'ne') {
    return { op: 'not', condition: { op: 'some', at, condition: comparing(element, leaf, { ...filter, op: 'eq' }) } };
  }
  return { op: 'some', at, condition: comparing(element, leaf, filter) };
}

const pathOf = ({ part, at }: StoredTarget): string => `${at}${part ? quoted(part.name) : ''}`;

/** Returns the value to sort by, or the first of several values. Returns undefined for a complex attribute. */
export function sortFieldOf(target: StoredTarget): Field | undefined {
  const { attribute, part, at } = target;
  const leaf = part ?? attribute;
  if (leaf.type === 'complex') return undefined;
  const path = `${at}${attribute.multiValued ? '[0]' : ''}${part ? quoted(part.name) : ''}`;
  return { of: 'member', path, kind: kindOf(leaf) };
}

/**
 * Returns a condition that one element of a list must meet, e.g. `badges[type eq "door" and number gt 5]`. @throws
 * ScimError invalidFilter
 */
export function elementCondition({ attribute }: StoredTarget, filter: Filter): Condition {
  const read = (inner: Filter): Condition => {
    switch (inner.op) {
      case 'and':
      case 'or':
        return { op: inner.op, conditions: inner.filters.map(read) };
      case 'not':
        return { op: 'not', condition: read(inner.filter) };
      case 'in':
        throw invalid('brackets cannot be nested');
      default: {
        const isValue = attribute.type !== 'complex' && inner.path === 'value';
        const part = isValue ? attribute : findAttribute(attribute.subAttributes ?? [], inner.path);
        if (!part) throw invalid(`${attribute.name} has no sub-attribute ${inner.path}`);
        const location = { of: 'element', path: isValue ? '$' : `$${quoted(part.name)}` } as const;
        const present: Condition = { op: 'present', column: { ...location, kind: 'text' } };
        if (inner.op === 'pr') return present;
        if (inner.value !== null) return comparing(location, part, inner);
        if (inner.op === 'ne') return present;
        if (inner.op === 'eq') return { op: 'not', condition: present };
        throw invalid('null can only be compared using eq and ne');
      }
    }
  };
  return read(filter);
}

function kindOf({ type, caseExact }: Attribute): Field['kind'] {
  if (type === 'integer' || type === 'decimal' || type === 'boolean') return 'plain';
  if (type === 'dateTime') return 'time';
  return caseExact ? 'plain' : 'text';
}

const ORDER: ReadonlySet<string> = new Set(['gt', 'ge', 'lt', 'le']);
const EQUALITY: ReadonlySet<string> = new Set(['eq', 'ne']);

function comparing(location: Pick<Field, 'of' | 'path'>, attribute: Attribute, { op, value }: Compared): Condition {
  const { name, type } = attribute;
  if (type === 'complex') throw invalid(`${name} is a complex attribute; compare one of its sub-attributes`);
  const isText = type === 'string' || type === 'reference' || type === 'binary';
  const mayOrder = type !== 'boolean' && type !== 'binary';
  const isUsable = EQUALITY.has(op) || (ORDER.has(op) ? mayOrder : isText);
  if (!isUsable) throw invalid(`${op} cannot be used with ${name}, which is of type ${type}`);
  return { op, column: { ...location, kind: kindOf(attribute) }, value: operandOf(attribute, value) };
}

/** Returns an operand in the type stored in the database. Entra sends numbers and booleans as strings. */
function operandOf({ name, type }: Attribute, value: Exclude<FilterValue, null> | null): string | number {
  const text = String(value);
  if (type === 'boolean') {
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true' ? 1 : 0;
    throw invalid(`${name} must be true or false`);
  }
  if (type === 'integer' || type === 'decimal') {
    if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
    throw invalid(`${name} must be a number, not ${text}`);
  }
  if (type === 'dateTime' && !hasSimpleType(type, value)) throw invalid(`${text} must be a date and time`);
  return text;
}
