import { t } from '@lingui/core/macro';
import { SECRET_PLACEHOLDER } from '../text/code-display.tsx';

/** A labelled field of an editor, with the paths of its values. */
export interface EditedField<Values> {
  label: string;
  /** Dotted paths, e.g. `oidc.callbackUrls`. */
  paths: readonly string[];
  /** Returns the displayed value: a string, or a list's lines. */
  show: (values: Values) => string | readonly string[];
}

/** The result of a three-way merge. */
export interface ThreeWay<Values> {
  /** Both sides' changes, merged. A field that both sides changed has my value. */
  merged: Values;
  /** Fields that the two sides changed to different values. */
  conflicts: EditedField<Values>[];
  /** Fields that only the other side changed. */
  theirs: EditedField<Values>[];
}

/**
 * Merges two users' changes.
 * @param base the values that both users started from
 * @param theirs the current values on the server
 * @param mine the values to save
 * @param fields the editor's fields with their labels; a value that no field covers becomes a field labelled with its
 * key, so that an incomplete list loses no change
 */
export function mergeThreeWay<Values>(
  { base, theirs, mine }: { base: Values; theirs: Values; mine: Values },
  labelled: readonly EditedField<Values>[],
): ThreeWay<Values> {
  const fields = [...labelled, ...unlabelled(mine, labelled)];
  const isSame = (field: EditedField<Values>, a: Values, b: Values) =>
    field.paths.every((path) => isDeepEqual(valueAt(a, path), valueAt(b, path)));
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

/** Returns the value at a dotted path, if any. */
function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), values);
}

function withValue<Values>(values: Values, [name = '', ...deeper]: string[], value: unknown): Values {
  const inner = deeper.length === 0 ? value : withValue(valueAt(values, name), deeper, value);
  return { ...values, [name]: inner };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Compares two form values deeply. Files are equal only if they are the same object. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isRecord(a) || !isRecord(b) || a instanceof File || b instanceof File) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Array.isArray(a) === Array.isArray(b) && [...names].every((name) => isDeepEqual(a[name], b[name]));
}

/**
 * Counts the changed fields as the user sees them: a list, or several values behind one label, is one change.
 * @param dirty react-hook-form's `formState.dirtyFields`
 */
export function countChanges<Values>(dirty: object, fields: readonly EditedField<Values>[]): number {
  const labelOf = (changed: string) =>
    fields.find(({ paths }) => paths.some((path) => changed === path || changed.startsWith(`${path}.`)));
  return new Set(dirtyPaths(dirty).map((path) => labelOf(path) ?? path)).size;
}

/** Returns the dotted paths of dirty values. A list is a single value. */
function dirtyPaths(dirty: object): string[] {
  return Object.entries(dirty).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return value.some((each) => each === true || isDirtyItem(each)) ? name : [];
    return isRecord(value) ? dirtyPaths(value).map((path) => `${name}.${path}`) : value === true ? name : [];
  });
}

const isDirtyItem = (item: unknown): boolean => isRecord(item) && dirtyPaths(item).length > 0;

/** Returns a text, number or select field for the merge. */
export function textField<Values>(label: string, path: string, unit = ''): EditedField<Values> {
  return { label, paths: [path], show: (values) => `${valueAt(values, path) ?? ''} ${unit}`.trim() };
}

/** Returns a switch field for the merge. */
export function switchField<Values>(label: string, path: string): EditedField<Values> {
  return { label, paths: [path], show: (values) => (valueAt(values, path) ? t`On` : t`Off`) };
}

/** Returns a list field for the merge, with one line per string. */
export function listField<Values>(label: string, path: string): EditedField<Values> {
  const linesOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return { label, paths: [path], show: (values) => linesOf(valueAt(values, path)) };
}

/** Returns a secret field for the merge, shown only as set or not set. */
export function secretField<Values>(label: string, path: string): EditedField<Values> {
  return { label, paths: [path], show: (values) => (valueAt(values, path) ? SECRET_PLACEHOLDER : '') };
}
