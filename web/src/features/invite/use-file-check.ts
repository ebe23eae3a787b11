import { type CsvField, checkBulkInvite, type ReplyOf } from '@orchestrate/shared';
import { useState } from 'react';
import useSWR from 'swr';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import type { InviteDraft } from './invite-draft.ts';
import { isExplanatory } from './invite-outcome.ts';

export type FileCheck = ReplyOf<typeof checkBulkInvite>;
type CheckInput = Pick<InviteDraft, 'type' | 'file' | 'columns' | 'sendEmail' | 'addNew'>;

/** The beginning of a larger file is enough to check its format, and quick to send. */
const CHECKED_BYTES = 4_194_304;
const LINE_BREAK = 10;

/** True if the file starts with UTF-16's byte order mark. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const SAMPLE_BYTES = 4_096;

/** True if the file could be CSV: text contains no zero bytes, except in UTF-16; pictures and spreadsheets do. */
export async function looksLikeText(file: File): Promise<boolean> {
  const sample = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  return isUtf16(sample) || !sample.includes(0);
}

/** Checks the outcome for each row of the file. */
async function checkFile({ type, file, sendEmail, ...draft }: CheckInput): Promise<FileCheck> {
  const body = new FormData();
  if (type) body.set('type', type);
  body.set('sendEmail', String(sendEmail));
  const checked = file && (await firstBytesOf(file));
  if (checked) body.set('file', checked, file.name);
  const answer = await call(checkBulkInvite, { body, query: csvQueryOf(draft) });
  return { ...answer, isWhole: answer.isWhole && checked === file };
}

/** Returns the whole lines that fit; for UTF-16, where any byte can look like a line break, the characters that fit. */
async function firstBytesOf(file: File): Promise<Blob> {
  if (file.size <= CHECKED_BYTES) return file;
  const bytes = new Uint8Array(await file.slice(0, CHECKED_BYTES).arrayBuffer());
  return file.slice(0, isUtf16(bytes) ? CHECKED_BYTES : bytes.lastIndexOf(LINE_BREAK) + 1 || CHECKED_BYTES);
}

/** Query parameters that control how the file's rows are read. */
export const csvQueryOf = ({ columns, addNew }: Pick<InviteDraft, 'columns' | 'addNew'>) => ({
  addNew: addNew ? ('true' as const) : ('false' as const),
  ...(columns && { columns: columns.join() }),
});

const keyOf = ({ type, mode, file, columns, sendEmail, addNew }: InviteDraft) =>
  mode === 'file' && file
    ? ['csv file', file.name, file.size, file.lastModified, type, sendEmail, addNew, columns?.join()]
    : null;

/**
 * Checks the outcome for each row of the chosen file. The previous reply stays while the file is checked with other
 * columns.
 * @returns `check` to display, whether it matches the current draft, `ask` to check again (resolves to undefined if
 * that fails), and the problem if the file caused the failure
 */
export function useFileCheck(draft: InviteDraft): {
  check: FileCheck | undefined;
  isCurrent: boolean;
  ask: () => Promise<FileCheck | undefined>;
  problem: string | undefined;
} {
  const key = keyOf(draft);
  const { data, error, mutate } = useSWR<FileCheck, ApiRefusal>(key, () => checkFile(draft), {
    dedupingInterval: 0,
    revalidateOnFocus: false,
    shouldRetryOnError: false,
  });
  const [last, setLast] = useState({ file: draft.file, data });
  if (data && data !== last.data) setLast({ file: draft.file, data });
  const kept = last.file === draft.file ? last.data : undefined;
  const check = key && !error ? (data ?? kept) : undefined;
  return {
    check: check && { ...check, columns: chosenColumns(check, draft) },
    isCurrent: data !== undefined,
    ask: () => mutate(),
    problem: error && isExplanatory(error.resultCode) ? resultText(error) : undefined,
  };
}

export const hasAddresses = ({ columns }: Pick<FileCheck, 'columns'>) => columns.some(({ field }) => field === 'email');

/** Applies the user's choice of columns immediately. */
const chosenColumns = ({ columns }: FileCheck, { columns: chosen }: InviteDraft) =>
  chosen ? columns.map((column, at) => ({ ...column, field: chosen[at] || null })) : columns;

/** True if the user should see the check before the upload. */
export const needsReview = (check: FileCheck) =>
  check.counts.refused > 0 || check.counts.new > 0 || !hasAddresses(check);

/** Assigns `field` to the column at `at` and removes it from any other. */
export const withField = (columns: FileCheck['columns'], at: number, field: CsvField | ''): (CsvField | '')[] =>
  columns.map((column, index) => (index === at ? field : column.field === field ? '' : (column.field ?? '')));
