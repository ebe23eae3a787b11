import { parse } from 'csv-parse/sync';
import type { CsvBlock } from './csv-blocks.ts';

/** A row of the file. */
export interface CsvRow {
  line: number;
  cells: string[];
  /** Why it cannot be read; `cells` then holds the whole row. */
  problem?: string;
}

/** The rows of a block; undefined if its quotes do not match. */
export function readRows({ text, line, isBroken }: CsvBlock, delimiter: string): CsvRow[] | undefined {
  const rows = isBroken ? undefined : parseOrNothing(text, delimiter);
  if (!rows || !text.includes('"')) return rows?.map((cells, index) => ({ line: line + index, cells }));
  let at = line;
  return rows.map((cells) => {
    const row = { line: at, cells };
    at += 1 + lineBreaksIn(cells);
    return row;
  });
}

/** Reads each line of a block as a row, so that a stray quote spoils only its own row. */
export function readLines({ text, line }: Pick<CsvBlock, 'text' | 'line'>, delimiter: string): CsvRow[] {
  return text.split('\n').map((row, index) => {
    const isPlain = !row.includes('"');
    const cells = isPlain ? row.split(delimiter) : parseOrNothing(row, delimiter)?.[0];
    return { line: line + index, ...(cells ? { cells } : { cells: [row], problem: OPEN_QUOTE }) };
  });
}

const OPEN_QUOTE = 'This row has an unclosed quote.';

function parseOrNothing(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, { delimiter, record_delimiter: '\n', relax_column_count: true, relax_quotes: true });
  } catch {
    return undefined;
  }
}

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
