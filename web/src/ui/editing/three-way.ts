import { t } from '@lingui/core/macro';
import { DOTS } from '../text/code-display.tsx';

/** One or several paths in an editor's values that share a label. */
export interface EditedField<Values> {
  label: string;
  /** Dotted paths, e.g. `oidc.callbackUrls`. */
  paths: readonly string[];
  /** Returns the displayed value: a text, or the lines of a list. */
  show: (values: Values) => string | readonly string[];
}

/** The result of a three-way merge. */
export interface ThreeWay<Values> {
  /** The changes of both sides; a field that both changed has my value. */
  merged: Values;
  /** Fields that both sides changed to different values. */
  conflicts: EditedField<Values>[];
  /** Fields that only the other side changed. */
  theirs: EditedField<Values>[];
}

/**
 * Merges the changes of two users.
 * @param base the values that both started from
 * @param theirs the current values on the server
 * @param mine the values to save
 * @param fields the editor's fields with their labels; a value that none of them covers becomes a field labelled by its
 * key, so that no change is lost if the list is incomplete
 */
export function mergeThreeWay<Values>(
  { base, theirs, mine }: { base: Values; theirs: Values; mine: Values },
  labelled: readonly EditedField<Values>[],
): ThreeWay<Values> {
  const fields = [...labelled, ...unlabelled(mine, labelled)];
  const isSame = (field: EditedField<Values>, a: Values, b: Values) =>
    field.paths.every((path) => isEqual(valueAt(a, path), valueAt(b, path)));
  const changedByMe = fields.filter((field) => !isSame(field, base, mine));
  const changedByThem = fields.filter((field) => !isSame(field, base, theirs));
  const merged = changedByMe.reduce((values, field) => withFieldFrom(values, field, mine), theirs);
  return {
    merged,
    conflicts: changedByMe.filter((field) => changedByThem.includes(field) && !isSame(field, theirs, mine)),
    theirs: changedByThem.filter((field) => !changedByMe.includes(field)),
  };
}

function unlabelled<Values>(values: Values, fields: readonly EditedField<Values>[]): EditedField<Values>[] {
  const known = fields.flatMap(({ paths }) => paths.map((path) => path.split('.')[0]));
  const names = isRecord(values) ? Object.keys(values) : [];
  return names.filter((name) => !known.includes(name)).map((name) => textField(name, name));
}

/** Returns the values with one field copied from `from`. */
export function withFieldFrom<Values>(values: Values, { paths }: EditedField<Values>, from: Values): Values {
  return paths.reduce((result, path) => withValue(result, path.split('.'), valueAt(from, path)), values);
}

/** Returns the value at a dotted path, if there is one. */
function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), values);
}

function withValue<Values>(values: Values, [name = '', ...deeper]: string[], value: unknown): Values {
  const inner = deeper.length === 0 ? value : withValue(valueAt(values, name), deeper, value);
  return { ...values, [name]: inner };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Compares two form values deeply; files are equal only if they are the same object. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isRecord(a) || !isRecord(b) || a instanceof File || b instanceof File) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Array.isArray(a) === Array.isArray(b) && [...names].every((name) => isEqual(a[name], b[name]));
}

/** Describes a text, number or select field. */
export function textField<Values>(label: string, path: string, unit = ''): EditedField<Values> {
  return { label, paths: [path], show: (values) => `${valueAt(values, path) ?? ''} ${unit}`.trim() };
}

/** Describes a switch. */
export function switchField<Values>(label: string, path: string): EditedField<Values> {
  return { label, paths: [path], show: (values) => (valueAt(values, path) ? t`On` : t`Off`) };
}

/** Describes a list of texts. */
export function listField<Values>(label: string, path: string): EditedField<Values> {
  const linesOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return { label, paths: [path], show: (values) => linesOf(valueAt(values, path)) };
}

/** Describes a secret, which is displayed only as set or not set. */
export function secretField<Values>(label: string, path: string): EditedField<Values> {
  return { label, paths: [path], show: (values) => (valueAt(values, path) ? DOTS : '') };
}
