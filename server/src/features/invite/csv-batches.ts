import { setImmediate } from 'node:timers/promises';
import type { CsvEncoding } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { machineTicks } from '#platform/adapters/clock.ts';
import { type Caller, mayAct } from '#platform/http/callers/caller.ts';
import type { UploadedFile } from '#platform/http/requests/uploads.ts';
import { Refusal } from '#platform/refusal.ts';
import { type CsvReader, readCsvBlocks } from './csv-reader.ts';
import type { InviteRow } from './invite-row.ts';

/** Rows processed in one batch. */
interface CsvBatch {
  rows: readonly InviteRow[];
  /** Bytes of the file read so far. */
  bytesRead: number;
  encoding: CsvEncoding;
}

/**
 * Yields the rows of a file as it arrives, in batches short enough not to delay other requests, which run in between.
 * @throws Refusal BAD_REQUEST interrupted (400); INVALID_SESSION the caller's session ends meanwhile
 */
export async function* csvBatches(
  deps: Deps,
  caller: Caller,
  { file, reader }: { file: UploadedFile; reader: CsvReader },
): AsyncGenerator<CsvBatch, void, undefined> {
  const portionsOf = createBatches();
  for await (const block of readCsvBlocks(file.chunks)) {
    for (const rows of portionsOf(reader.read(block))) {
      if (!mayAct(deps, caller)) throw new Refusal('INVALID_SESSION');
      yield { rows, bytesRead: block.bytesRead, encoding: block.encoding };
      // Twice, so that pending work such as a checkpoint gets its own iteration of the event loop.
      await setImmediate();
      await setImmediate();
    }
  }
}

/** @throws Refusal UPLOAD_BLOCKED_IN_DR in recovery mode; BAD_REQUEST no CSV file (415) */
export function requireCsv({ config }: Deps, { name }: UploadedFile): void {
  if (config.drMode) throw new Refusal('UPLOAD_BLOCKED_IN_DR');
  if (!/\.csv$/i.test(name)) throw new Refusal('BAD_REQUEST', { status: 415, message: 'File format not supported' });
}

/** Target duration of a transaction, in milliseconds: no other request runs during it. */
const BATCH_MS = 10;
/** Rows per transaction: the first size, used before the time per row is known, then the minimum and maximum. */
const FIRST_ROWS = 20;
const MOST_ROWS = 500;

/**
 * Splits rows into batches that can be written in `BATCH_MS`, judging by earlier ones. Yields at least one batch, even
 * an empty one, so that other requests run and progress is reported after each block.
 */
function createBatches(): (rows: readonly InviteRow[]) => Generator<readonly InviteRow[]> {
  let size = FIRST_ROWS;
  return function* portionsOf(rows) {
    for (let at = 0; at === 0 || at < rows.length; ) {
      const batch = rows.slice(at, at + size);
      at += batch.length || 1;
      const began = machineTicks();
      yield batch;
      const fitting = batch.length * (BATCH_MS / (machineTicks() - began));
      // The short remainder of a block says little about the next one.
      if (batch.length * 2 > size) size = Math.round(Math.min(MOST_ROWS, 2 * size, Math.max(FIRST_ROWS, fitting)));
    }
  };
}
