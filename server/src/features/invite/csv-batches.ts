import { setImmediate } from 'node:timers/promises';
import type { CsvEncoding } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { machineTicks } from '#platform/adapters/clock.ts';
import { type Caller, isSessionActive } from '#platform/http/callers/caller.ts';
import type { UploadedFile } from '#platform/http/requests/uploads.ts';
import { Refusal } from '#platform/refusal.ts';
import { type CsvReader, readCsvBlocks } from './csv-reader.ts';
import type { InviteRow } from './invite-row.ts';

/** Rows of a file that are processed in one transaction. */
interface CsvBatch {
  rows: readonly InviteRow[];
  /** Number of bytes of the file read so far. */
  bytesRead: number;
  encoding: CsvEncoding;
}

/**
 * Yields a file's rows as they arrive, in batches short enough not to delay other requests, which run between
 * batches.
 * @throws Refusal BAD_REQUEST if interrupted (400); INVALID_SESSION if the uploading member's session ends during the
 * upload
 */
export async function* csvBatches(
  deps: Deps,
  caller: Caller,
  { file, reader }: { file: UploadedFile; reader: CsvReader },
): AsyncGenerator<CsvBatch, void, undefined> {
  const splitIntoBatches = createBatches();
  for await (const block of readCsvBlocks(file.chunks)) {
    for (const rows of splitIntoBatches(reader.read(block))) {
      if (!isSessionActive(deps, caller)) throw new Refusal('INVALID_SESSION');
      yield { rows, bytesRead: block.bytesRead, encoding: block.encoding };
      // Yields twice to give pending work, such as a checkpoint, its own event loop iteration.
      await setImmediate();
      await setImmediate();
    }
  }
}

/**
 * Requires the file to be CSV, and the portal not to be in recovery mode.
 * @throws Refusal UPLOAD_BLOCKED_IN_DR in recovery mode; BAD_REQUEST if the file isn't CSV (415)
 */
export function requireCsv({ config }: Deps, { name }: UploadedFile): void {
  if (config.drMode) throw new Refusal('UPLOAD_BLOCKED_IN_DR');
  if (!/\.csv$/i.test(name)) throw new Refusal('BAD_REQUEST', { status: 415, message: 'File format not supported' });
}

/** Target duration of a transaction, in milliseconds. No other request runs during a transaction. */
const BATCH_MS = 10;
/** Number of rows in the first transaction, and the minimum for later transactions. */
const FIRST_ROWS = 20;
const MOST_ROWS = 500;

/**
 * Splits rows into batches that can be written in `BATCH_MS`, based on how long earlier batches took. Yields at least
 * one batch, even if empty, because other requests run and progress is reported after each batch.
 */
function createBatches(): (rows: readonly InviteRow[]) => Generator<readonly InviteRow[]> {
  let size = FIRST_ROWS;
  return function* splitIntoBatches(rows) {
    for (let at = 0; at === 0 || at < rows.length; ) {
      const batch = rows.slice(at, at + size);
      at += batch.length || 1;
      const began = machineTicks();
      yield batch;
      const fitting = batch.length * (BATCH_MS / (machineTicks() - began));
      // A block's short last batch says little about how long the next batch will take.
      if (batch.length * 2 > size) size = Math.round(Math.min(MOST_ROWS, 2 * size, Math.max(FIRST_ROWS, fitting)));
    }
  };
}
