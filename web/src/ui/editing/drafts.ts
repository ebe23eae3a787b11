import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { PERSONAL } from '#lib/session/personal-storage.ts';
import { hasSignedOut } from '#lib/session/session.ts';

/** A form's unsaved input when the session ended. */
export interface Draft<Values> {
  /** The form's initial values and their version, which the conflict check continues from. */
  base: Versioned<Partial<Values>>;
  typed: Partial<Values>;
  /** Path of the form's page. */
  path: string;
  /** Kind of input that was entered but not stored. */
  lost?: LostInput | undefined;
}

export type LostInput = 'secret' | 'file';

/** Top-level fields that drafts omit; the value is the kind of input to enter again, null for none. */
export type OmittedFields = Readonly<Record<string, LostInput | null>>;

/** A form's values on the server, and their version. */
export interface Versioned<Values> {
  values: Values;
  version: string | undefined;
}

const KEY = PERSONAL.drafts;

/** The drafts of one user, by form name. */
interface StoredDrafts {
  suid: string;
  drafts: Record<string, Draft<unknown>>;
}

function read(): StoredDrafts | undefined {
  const stored = readJson(readStored(KEY, 'sessionStorage'));
  const isValid = typeof stored === 'object' && stored !== null && 'suid' in stored && 'drafts' in stored;
  return isValid ? (stored as StoredDrafts) : undefined;
}

/** If storage is full or blocked, the input is lost with the session, as it would be without drafts. */
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

/** Returns the draft that `suid` typed into a form; undefined for other users. */
export function findDraft<Values>(suid: string, form: string): Draft<Values> | undefined {
  const stored = read();
  return stored?.suid === suid ? (stored.drafts[form] as Draft<Values> | undefined) : undefined;
}

/** Finds a draft of this page by the prefix of its name, and returns the rest of the name. */
export function findDraftHere(suid: string, beginning: string): string | undefined {
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

/** Removes fields that must not be stored, such as secrets, or can't be, such as files. */
export function without<Values extends object>(values: Values, omitted: OmittedFields): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in omitted))) as Partial<Values>;
}

/**
 * Fills the fields missing from a draft with the server's values. A field that is in the draft's base but not in its
 * input was emptied (JSON drops undefined), so it stays empty.
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

/** Returns the kind of input that is lost because drafts omit it. @param before the form's initial values */
export function lostInputOf<Values extends object>(values: Values, before: Partial<Values>, omitted: OmittedFields) {
  const entered = Object.entries(values).filter(([name, value]) => value && value !== before[name as keyof Values]);
  return entered.flatMap(([name]) => omitted[name] ?? [])[0];
}
