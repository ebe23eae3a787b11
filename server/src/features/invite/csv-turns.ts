import { setImmediate } from 'node:timers/promises';
import type { CsvEncoding } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { machineTicks } from '#platform/adapters/clock.ts';
import { type Caller, mayAct } from '#platform/http/callers/caller.ts';
import type { UploadedFile } from '#platform/http/requests/uploads.ts';
import { Refusal } from '#platform/refusal.ts';
import { type CsvReader, readCsvBlocks } from './csv-reader.ts';
import type { InviteRow } from './invite-row.ts';

/** Rows that are dealt with at once. */
interface CsvTurn {
  rows: readonly InviteRow[];
  /** How much of the file has been read. */
  bytesRead: number;
  encoding: CsvEncoding;
}

/**
 * The rows of a file as it arrives, in turns short enough not to hold up others, who are served between them.
 * @throws Refusal BAD_REQUEST broken off (400); INVALID_SESSION the caller's session ends meanwhile
 */
export async function* csvTurns(
  deps: Deps,
  caller: Caller,
  { file, reader }: { file: UploadedFile; reader: CsvReader },
): AsyncGenerator<CsvTurn, void, undefined> {
  const portionsOf = createPortions();
  for await (const block of readCsvBlocks(file.chunks)) {
    for (const rows of portionsOf(reader.read(block))) {
      if (!mayAct(deps, caller)) throw new Refusal('INVALID_SESSION');
      yield { rows, bytesRead: block.bytesRead, encoding: block.encoding };
      // Twice, so that what came due meanwhile, e.g. a checkpoint, has an iteration of the event loop to itself.
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

/** Milliseconds that a transaction should take: nobody else is served during it. */
const TURN_MS = 10;
/**
 * Rows in a transaction: the first size, before it is known how long rows take, which is the minimum, and the maximum.
 */
const FIRST_ROWS = 20;
const MOST_ROWS = 500;

/**
 * Cuts rows into portions that the machine can write in `TURN_MS`, judging by how long earlier ones took. Yields at
 * least one portion, even of no rows, so that others get a turn and progress is shown after each block.
 */
function createPortions(): (rows: readonly InviteRow[]) => Generator<readonly InviteRow[]> {
  let size = FIRST_ROWS;
  return function* portionsOf(rows) {
    for (let at = 0; at === 0 || at < rows.length; ) {
      const portion = rows.slice(at, at + size);
      at += portion.length || 1;
      const began = machineTicks();
      yield portion;
      const fitting = portion.length * (TURN_MS / (machineTicks() - began));
      // A short remainder of a block says little about the next.
      if (portion.length * 2 > size) size = Math.round(Math.min(MOST_ROWS, 2 * size, Math.max(FIRST_ROWS, fitting)));
    }
  };
}
