import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { PERSONAL_STORAGE_KEYS } from '#lib/session/personal-storage.ts';
import { hasSignedOut } from '#lib/session/session.ts';

/** A form's unsaved input, stored when the session ends so that it can be restored. */
export interface Draft<Values> {
  /** The form's initial values with their version, used by the conflict check after the draft is restored. */
  base: Versioned<Partial<Values>>;
  typed: Partial<Values>;
  /** Path of the form's page. */
  path: string;
  /** Type of input that the user entered but the draft omits. */
  lost?: LostInput | undefined;
}

export type LostInput = 'secret' | 'file';

/**
 * Top-level fields that drafts omit. The value is the type of input that the user must enter again, or null for none.
 */
export type OmittedFields = Readonly<Record<string, LostInput | null>>;

/** A form's values on the server, with their version. */
export interface Versioned<Values> {
  values: Values;
  version: string | undefined;
}

const KEY = PERSONAL_STORAGE_KEYS.drafts;

/** One user's drafts, by form name. */
interface StoredDrafts {
  suid: string;
  drafts: Record<string, Draft<unknown>>;
}

function read(): StoredDrafts | undefined {
  const stored = readJson(readStored(KEY, 'sessionStorage'));
  const isValid = typeof stored === 'object' && stored !== null && 'suid' in stored && 'drafts' in stored;
  return isValid ? (stored as StoredDrafts) : undefined;
}

/**
 * Writes drafts to storage. If storage is full or blocked, the input is lost with the session, as it would be without
 * drafts.
 */
function write(stored: StoredDrafts): void {
  const isEmpty = Object.keys(stored.drafts).length === 0;
  writeStored(KEY, isEmpty ? null : JSON.stringify(stored), 'sessionStorage');
}

/** Stores a draft in this tab until it is saved or discarded, the user signs out, or another user signs in. */
export function storeDraft<Values>(suid: string, form: string, draft: Draft<Values>): void {
  if (hasSignedOut()) return;
  const stored = read();
  write({ suid, drafts: { ...(stored?.suid === suid && stored.drafts), [form]: draft } });
}

/** Returns the draft of a form if `suid` typed it, otherwise undefined. */
export function findDraft<Values>(suid: string, form: string): Draft<Values> | undefined {
  const stored = read();
  return stored?.suid === suid ? (stored.drafts[form] as Draft<Values> | undefined) : undefined;
}

/** Finds a draft on this page whose name starts with a prefix, and returns the rest of the name. */
export function findDraftOnPage(suid: string, beginning: string): string | undefined {
  const stored = read();
  const drafts = stored?.suid === suid ? Object.entries(stored.drafts) : [];
  const [name] =
    drafts.find(([form, { path }]) => form.startsWith(beginning) && path === window.location.pathname) ?? [];
  return name?.slice(beginning.length);
}

export function dropDraft(form: string): void {
  const stored = read();
  if (!stored || !(form in stored.drafts)) return;
  const { [form]: _dropped, ...drafts } = stored.drafts;
  write({ ...stored, drafts });
}

/** Removes fields that must not be stored, such as secrets, or that can't be stored, such as files. */
export function withoutOmitted<Values extends object>(values: Values, omitted: OmittedFields): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in omitted))) as Partial<Values>;
}

/**
 * Fills fields that a draft lacks with the server's values. A field that is in the draft's base but not in its input
 * was cleared (JSON drops undefined), so it stays empty.
 */
export function completeDraft<Values extends object>(
  { base, typed }: Pick<Draft<Values>, 'base' | 'typed'>,
  saved: Values,
  omitted: OmittedFields,
): { base: Versioned<Values>; typed: Values } {
  const known: object = { ...base.values, ...typed };
  const rest = Object.fromEntries(Object.entries(saved).filter(([part]) => !(part in known) || part in omitted));
  const whole = (values: Partial<Values>) => ({ ...values, ...rest }) as Values;
  return { base: { ...base, values: whole(base.values) }, typed: whole(typed) };
}

/** Returns the type of input that is lost because drafts omit it, if any. @param before the form's initial values */
export function lostInputOf<Values extends object>(values: Values, before: Partial<Values>, omitted: OmittedFields) {
  const entered = Object.entries(values).filter(([name, value]) => value && value !== before[name as keyof Values]);
  return entered.flatMap(([name]) => omitted[name] ?? [])[0];
}
