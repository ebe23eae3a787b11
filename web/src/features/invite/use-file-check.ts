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

/** Number of bytes sent for a check: enough to check the format of a large file, and quick to upload. */
const CHECKED_BYTES = 4_194_304;
const LINE_BREAK = 10;

/** Returns true if a file starts with a UTF-16 byte order mark. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const SAMPLE_BYTES = 4_096;

/**
 * Returns true if the file could be CSV. Except in UTF-16, text contains no zero bytes, but images and spreadsheets
 * do.
 */
export async function looksLikeText(file: File): Promise<boolean> {
  const sample = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  return isUtf16(sample) || !sample.includes(0);
}

/** Asks the portal to check each row of the file. */
async function checkFile({ type, file, sendEmail, ...draft }: CheckInput): Promise<FileCheck> {
  const body = new FormData();
  if (type) body.set('type', type);
  body.set('sendEmail', String(sendEmail));
  const checked = file && (await firstBytesOf(file));
  if (checked) body.set('file', checked, file.name);
  const answer = await call(checkBulkInvite, { body, query: csvQueryOf(draft) });
  return { ...answer, isWhole: answer.isWhole && checked === file };
}

/**
 * Returns the beginning of the file, up to the last complete line. In UTF-16 the cut can be within a line, because
 * any byte can look like a line break.
 */
async function firstBytesOf(file: File): Promise<Blob> {
  if (file.size <= CHECKED_BYTES) return file;
  const bytes = new Uint8Array(await file.slice(0, CHECKED_BYTES).arrayBuffer());
  return file.slice(0, isUtf16(bytes) ? CHECKED_BYTES : bytes.lastIndexOf(LINE_BREAK) + 1 || CHECKED_BYTES);
}

/** Returns query parameters that control how the portal reads the file's rows. */
export const csvQueryOf = ({ columns, addNew }: Pick<InviteDraft, 'columns' | 'addNew'>) => ({
  addNew: addNew ? ('true' as const) : ('false' as const),
  ...(columns && { columns: columns.join() }),
});

const keyOf = ({ type, mode, file, columns, sendEmail, addNew }: InviteDraft) =>
  mode === 'file' && file
    ? ['csv file', file.name, file.size, file.lastModified, type, sendEmail, addNew, columns?.join()]
    : null;

/**
 * Checks the outcome for each row of the selected file. The previous reply stays visible while the file is checked
 * with other columns.
 * @returns `check` to display; `isCurrent`, true if the check matches the current draft; `ask` to check again, which
 * resolves to undefined on failure; and `problem` if the file itself caused the failure
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
  const previous = last.file === draft.file ? last.data : undefined;
  const check = key && !error ? (data ?? previous) : undefined;
  return {
    check: check && { ...check, columns: chosenColumns(check, draft) },
    isCurrent: data !== undefined,
    ask: () => mutate(),
    problem: error && isExplanatory(error.resultCode) ? resultText(error) : undefined,
  };
}

export const hasEmailColumn = ({ columns }: Pick<FileCheck, 'columns'>) =>
  columns.some(({ field }) => field === 'email');

/** Applies the user's column assignment without waiting for the next check. */
const chosenColumns = ({ columns }: FileCheck, { columns: chosen }: InviteDraft) =>
  chosen ? columns.map((column, at) => ({ ...column, field: chosen[at] || null })) : columns;

/** Returns true if the user should review the check before uploading. */
export const needsReview = (check: FileCheck) =>
  check.counts.refused > 0 || check.counts.new > 0 || !hasEmailColumn(check);

/** Assigns `field` to the column at index `at` and removes it from all other columns. */
export const assignField = (columns: FileCheck['columns'], at: number, field: CsvField | ''): (CsvField | '')[] =>
  columns.map((column, index) => (index === at ? field : column.field === field ? '' : (column.field ?? '')));
