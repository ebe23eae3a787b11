import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { PERSONAL } from '#lib/session/personal-storage.ts';
import { hasSignedOut } from '#lib/session/session.ts';

/** What somebody had typed when the session ended. */
export interface Draft<Values> {
  /** The values that the form began with, and their version: the conflict check continues from these. */
  base: Versioned<Partial<Values>>;
  typed: Partial<Values>;
  /** Path of the page that it was typed on. */
  path: string;
  /** What was entered, and is not kept. */
  lost?: Lost | undefined;
}

export type Lost = 'secret' | 'file';

/** The top-level parts of a form that no draft keeps, with what has to be entered again. */
export type Unkept = Readonly<Record<string, Lost | null>>;

/** The values of a form as the server has them, and their version. */
export interface Versioned<Values> {
  values: Values;
  version: string | undefined;
}

const KEY = PERSONAL.drafts;

/** By the name of their form; of one person at a time. */
interface Kept {
  suid: string;
  drafts: Record<string, Draft<unknown>>;
}

function read(): Kept | undefined {
  const kept = readJson(readStored(KEY, 'sessionStorage'));
  const isKept = typeof kept === 'object' && kept !== null && 'suid' in kept && 'drafts' in kept;
  return isKept ? (kept as Kept) : undefined;
}

/** Where storage is full or forbidden, the input is lost with the session, as it would be without drafts. */
function write(kept: Kept): void {
  const isEmpty = Object.keys(kept.drafts).length === 0;
  writeStored(KEY, isEmpty ? null : JSON.stringify(kept), 'sessionStorage');
}

/** Keeps a draft in this tab until it is saved or discarded, the person signs out, or another person signs in. */
export function keepDraft<Values>(suid: string, form: string, draft: Draft<Values>): void {
  if (hasSignedOut()) return;
  const kept = read();
  write({ suid, drafts: { ...(kept?.suid === suid && kept.drafts), [form]: draft } });
}

/** What `suid` had typed into a form; undefined for anybody else. */
export function findDraft<Values>(suid: string, form: string): Draft<Values> | undefined {
  const kept = read();
  return kept?.suid === suid ? (kept.drafts[form] as Draft<Values> | undefined) : undefined;
}

/** The rest of the name of a draft from this page whose name begins with a prefix; undefined where there is none. */
export function findDraftHere(suid: string, beginning: string): string | undefined {
  const kept = read();
  const drafts = kept?.suid === suid ? Object.entries(kept.drafts) : [];
  const [name] =
    drafts.find(([form, { path }]) => form.startsWith(beginning) && path === window.location.pathname) ?? [];
  return name?.slice(beginning.length);
}

export function dropDraft(form: string): void {
  const kept = read();
  if (!kept || !(form in kept.drafts)) return;
  const { [form]: _dropped, ...drafts } = kept.drafts;
  write({ ...kept, drafts });
}

/** The values without the parts that must not be stored, such as a secret, or cannot be, such as a file. */
export function without<Values extends object>(values: Values, unkept: Unkept): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in unkept))) as Partial<Values>;
}

/**
 * The values of a draft with what it does not have from the server: what no draft keeps, and what is not in it. A part
 * that it began with, and that was emptied, is not filled again: JSON has no undefined.
 */
export function wholeDraft<Values extends object>(
  { base, typed }: Pick<Draft<Values>, 'base' | 'typed'>,
  saved: Values,
  unkept: Unkept,
): { base: Versioned<Values>; typed: Values } {
  const known: object = { ...base.values, ...typed };
  const rest = Object.fromEntries(Object.entries(saved).filter(([part]) => !(part in known) || part in unkept));
  const whole = (values: Partial<Values>) => ({ ...values, ...rest }) as Values;
  return { base: { ...base, values: whole(base.values) }, typed: whole(typed) };
}

/** What of these parts had been entered. @param before the values that the form began with */
export function lostOf<Values extends object>(values: Values, before: Partial<Values>, unkept: Unkept) {
  const entered = Object.entries(values).filter(([name, value]) => value && value !== before[name as keyof Values]);
  return entered.flatMap(([name]) => unkept[name] ?? [])[0];
}
