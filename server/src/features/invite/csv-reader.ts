import type { CsvField } from '@orchestrate/shared';
import { parse } from 'csv-parse/sync';
import type { CsvBlock } from './csv-blocks.ts';
import {
  type CsvColumns,
  chosenColumns,
  firstRow,
  isUnknownHeader,
  readCells,
  readHeader,
  withAddresses,
} from './csv-columns.ts';
import type { InviteRow } from './invite-row.ts';

/** A row of the file. */
interface CsvRow {
  line: number;
  cells: string[];
  /** Why it cannot be read; `cells` then holds the whole row. */
  problem?: string;
}

/** The rows of a block; undefined if its quotes do not match. */
function readRows({ text, line, isBroken }: CsvBlock, delimiter: string): CsvRow[] | undefined {
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
function readLines({ text, line }: Pick<CsvBlock, 'text' | 'line'>, delimiter: string): CsvRow[] {
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

/** Reads the blocks of one file, in their order. */
export interface CsvReader {
  /** The people in a block, without the header and empty rows. */
  read(block: CsvBlock): InviteRow[];
  /** What was recognised in the first block; undefined before it was read. */
  readonly format: CsvFormat | undefined;
}

export interface CsvFormat {
  delimiter: string;
  /** Undefined where the file has no header, or one that names no known column. */
  columns: CsvColumns | undefined;
  /** The last line before the rows. */
  headerLine: number;
  /** The cells of the header; empty where there is none. */
  header: readonly string[];
  /** The first cells of each column below the header. */
  samples: readonly string[];
}

/**
 * @param primaryAttrField the organisation's name for its primary attribute, which a header may use.
 * @param named what the columns hold, chosen by hand: then a first row without an address is a header.
 */
export function createCsvReader(primaryAttrField: string, named?: readonly (CsvField | '')[]): CsvReader {
  const chosen = named && chosenColumns(named);
  let format: CsvFormat | undefined;

  function readFormat(block: CsvBlock): CsvFormat {
    const { delimiter, hint } = readDelimiter(block.text, primaryAttrField);
    const all = (readRows(block, delimiter) ?? readLines(block, delimiter)).filter(isFilled);
    const rows = all.filter(({ line }) => line !== hint);
    const first =
      rows[
        firstRow(
          rows.map(({ cells }) => cells),
          primaryAttrField,
        )
      ];
    const recognised = first && readHeader(first.cells, primaryAttrField);
    const rest = rows.filter(({ line }) => line > (first?.line ?? 0)).map(({ cells }) => cells);
    const columns = chosen ?? (recognised && withAddresses(recognised, rest));
    const isHeader = chosen
      ? !first?.cells.some((cell) => cell.includes('@'))
      : recognised !== undefined || (first !== undefined && isUnknownHeader(first.cells, rest));
    const headerLine = Math.max(hint, isHeader ? (first?.line ?? 0) : 0);
    const below = rows.filter(({ line }) => line > headerLine);
    const width = Math.max(first?.cells.length ?? 0, below[0]?.cells.length ?? 0);
    return {
      delimiter,
      columns,
      headerLine,
      header: isHeader && first ? first.cells : [],
      samples: Array.from({ length: width }, (_, at) => below.find(({ cells }) => cells[at]?.trim())?.cells[at] ?? ''),
    };
  }

  return {
    get format() {
      return format;
    },
    read(block) {
      format ??= readFormat(block);
      const { delimiter, columns, headerLine } = format;
      const toInvite = (rows: CsvRow[]): InviteRow[] =>
        rows.filter((row) => row.line > headerLine && isFilled(row)).map((row) => inviteRowOf(row, columns));
      const whole = readRows(block, delimiter);
      const invites = whole && toInvite(whole);
      if (!invites?.every(isWhole)) return toInvite(readLines(block, delimiter));
      return invites.map(namedOnOneLine);
    },
  };
}

function inviteRowOf({ line, cells, problem }: CsvRow, columns: CsvColumns | undefined): InviteRow {
  if (!problem) return { line, ...readCells(cells, columns) };
  return { line, email: cells.join(), firstName: '', lastName: '', primaryAttr: '', problem };
}

const isFilled = ({ cells }: CsvRow): boolean => cells.some((cell) => cell.trim() !== '');

/**
 * Whether a row is not several that a quote left open has made one: an address has no line break, and a name with one
 * (Alt+Enter in a spreadsheet) has no address after it.
 */
const isWhole = ({ email, firstName, lastName, primaryAttr }: InviteRow): boolean =>
  !email.includes('\n') && ![firstName, lastName, primaryAttr].some((text) => /\n.*@/s.test(text));

const namedOnOneLine = (row: InviteRow): InviteRow => ({
  ...row,
  firstName: onOneLine(row.firstName),
  lastName: onOneLine(row.lastName),
  primaryAttr: onOneLine(row.primaryAttr),
});

/** A text with blanks where it has line breaks. */
export const onOneLine = (text: string): string => (text.includes('\n') ? text.replace(/\s*\n\s*/g, ' ') : text);

const DELIMITERS = [',', ';', '\t'] as const;
/** Lines that are searched for a header. */
const SEARCHED_LINES = 10;

/**
 * The column separator: the one that a first line declares, as spreadsheets write it (`sep=;`, also in quotes); the one
 * with which one of the first lines is a header, whatever a title above it contains; or the most frequent in the first
 * line that has one, outside quotes.
 * @returns with the number of the line that only declares it, else 0.
 */
function readDelimiter(text: string, primaryAttrField: string): { delimiter: string; hint: number } {
  const [, said] = /^"?sep=([,;\t])"?[,;\t]*\n/i.exec(text) ?? [];
  if (said) return { delimiter: said, hint: 1 };
  const lines = text.trimStart().split('\n', SEARCHED_LINES);
  const headers = lines.map((line) => {
    const delimiter = mostFrequent(line);
    return readHeader(cellsOf(line, delimiter), primaryAttrField) && delimiter;
  });
  return { delimiter: headers.find(Boolean) ?? mostFrequent(lines.find((line) => /[,;\t]/.test(line)) ?? ''), hint: 0 };
}

function mostFrequent(line: string): string {
  const outside = line.replace(/"[^"\n]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: outside.split(delimiter).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).delimiter;
}

const cellsOf = (line: string, delimiter: string): string[] =>
  readLines({ text: line, line: 1 }, delimiter)[0]?.cells ?? [];
