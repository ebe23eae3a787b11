import { t } from '@lingui/core/macro';
import { DOTS } from '../text/code-display.tsx';

/** What an editor edits under one label: one or several paths in its values that belong together. */
export interface EditedField<Values> {
  label: string;
  /** Dotted paths, e.g. `oidc.callbackUrls`. */
  paths: readonly string[];
  /** How people read it: a text, or the lines of a list. */
  show: (values: Values) => string | readonly string[];
}

/** The result of a three-way merge. */
export interface ThreeWay<Values> {
  /** A change of one side is taken over; where both sides changed a field, it has my value. */
  merged: Values;
  /** Fields that both have changed, to different values. */
  conflicts: EditedField<Values>[];
  /** Fields that only the other one has changed. */
  theirs: EditedField<Values>[];
}

/**
 * Merges what two people have made of one thing.
 * @param base what both began with
 * @param theirs what it is now
 * @param mine what is to be saved
 * @param fields what the editor edits, with its labels; a part of the values that none of them covers counts as a field
 * of its own name, so that no change is lost when the list is incomplete
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
  const merged = changedByMe.reduce((values, field) => taken(values, field, mine), theirs);
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

/** The values with one field taken from another state. */
export function taken<Values>(values: Values, { paths }: EditedField<Values>, from: Values): Values {
  return paths.reduce((result, path) => withValue(result, path.split('.'), valueAt(from, path)), values);
}

/** The value at a dotted path; undefined where there is none. */
function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), values);
}

function withValue<Values>(values: Values, [name = '', ...deeper]: string[], value: unknown): Values {
  const inner = deeper.length === 0 ? value : withValue(valueAt(values, name), deeper, value);
  return { ...values, [name]: inner };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether two values of a form are equal. Files only where they are the same object. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isRecord(a) || !isRecord(b) || a instanceof File || b instanceof File) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Array.isArray(a) === Array.isArray(b) && [...names].every((name) => isEqual(a[name], b[name]));
}

/** A field that is one text, number or choice. */
export function textField<Values>(label: string, path: string, unit = ''): EditedField<Values> {
  return { label, paths: [path], show: (values) => `${valueAt(values, path) ?? ''} ${unit}`.trim() };
}

/** A field that is on or off. */
export function switchField<Values>(label: string, path: string): EditedField<Values> {
  return { label, paths: [path], show: (values) => (valueAt(values, path) ? t`On` : t`Off`) };
}

/** A field that is a list of texts. */
export function listField<Values>(label: string, path: string): EditedField<Values> {
  const linesOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return { label, paths: [path], show: (values) => linesOf(valueAt(values, path)) };
}

/** A field shown only as set or not set: a secret. */
export function secretField<Values>(label: string, path: string): EditedField<Values> {
  return { label, paths: [path], show: (values) => (valueAt(values, path) ? DOTS : '') };
}
