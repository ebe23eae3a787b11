import { TextDecoder } from 'node:util';
import type { CsvEncoding, CsvField } from '@orchestrate/shared';
import { parse } from 'csv-parse/sync';
import { Refusal } from '#platform/refusal.ts';
import {
  type CsvColumns,
  chosenColumns,
  firstRowIndex,
  isUnknownHeader,
  readCells,
  readHeader,
  withAddressColumn,
} from './csv-columns.ts';
import type { InviteRow } from './invite-row.ts';

/** Row of the file. */
interface CsvRow {
  line: number;
  cells: string[];
  /** Why the row can't be read; `cells` then contains the whole row. */
  problem?: string;
}

/** Returns the rows of a block; undefined if its quotes don't match. */
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

/** Reads each line of a block as a row, so that a stray quote affects only its own row. */
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

/** Reads the blocks of one file in order. */
export interface CsvReader {
  /** Returns the people in a block, without the header and empty rows. */
  read(block: CsvBlock): InviteRow[];
  /** Format detected in the first block; undefined before it was read. */
  readonly format: CsvFormat | undefined;
}

export interface CsvFormat {
  delimiter: string;
  /** Undefined without a header, or if it names no known column. */
  columns: CsvColumns | undefined;
  /** Last line before the rows. */
  headerLine: number;
  /** Header cells; empty without a header. */
  header: readonly string[];
  /** First cells of each column below the header. */
  samples: readonly string[];
}

/**
 * @param primaryAttrField the organisation's name for its primary attribute, which a header may use.
 * @param named fields of the columns chosen by hand: then a first row without an address is a header.
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
        firstRowIndex(
          rows.map(({ cells }) => cells),
          primaryAttrField,
        )
      ];
    const recognised = first && readHeader(first.cells, primaryAttrField);
    const rest = rows.filter(({ line }) => line > (first?.line ?? 0)).map(({ cells }) => cells);
    const columns = chosen ?? (recognised && withAddressColumn(recognised, rest));
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
 * Returns false if an unclosed quote merged several rows: an address has no line break, and a name with one
 * (Alt+Enter in a spreadsheet) has no address after it.
 */
const isWhole = ({ email, firstName, lastName, primaryAttr }: InviteRow): boolean =>
  !email.includes('\n') && ![firstName, lastName, primaryAttr].some((text) => /\n.*@/s.test(text));

const namedOnOneLine = (row: InviteRow): InviteRow => ({
  ...row,
  firstName: withoutLineBreaks(row.firstName),
  lastName: withoutLineBreaks(row.lastName),
  primaryAttr: withoutLineBreaks(row.primaryAttr),
});

/** Replaces line breaks by spaces. */
export const withoutLineBreaks = (text: string): string =>
  text.includes('\n') ? text.replace(/\s*\n\s*/g, ' ') : text;

const DELIMITERS = [',', ';', '\t'] as const;
/** Lines searched for a header. */
const SEARCHED_LINES = 10;

/**
 * Detects the column separator: the one declared in the first line (`sep=;`, also in quotes), as spreadsheets write
 * it; the one that makes one of the first lines a header; or the most frequent outside quotes in the first line that
 * has one.
 * @returns it with the number of the line that only declares it, otherwise 0.
 */
function readDelimiter(text: string, primaryAttrField: string): { delimiter: string; hint: number } {
  const [, declared] = /^"?sep=([,;\t])"?[,;\t]*\n/i.exec(text) ?? [];
  if (declared) return { delimiter: declared, hint: 1 };
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

/** Decodes a file that arrives in chunks. */
interface CsvDecoder {
  /** Returns the text of the next bytes, as far as they are complete. */
  decode(bytes: Buffer): string;
  /** Returns the incomplete rest at the end of the file. */
  end(): string;
  /** Encoding as far as detected; pure ASCII is UTF-8. */
  readonly encoding: CsvEncoding;
}

const MULTIBYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;
const NOT_ASCII = /[\x80-\xff]/;
/** A character of UTF-8 has at most four bytes. */
const CHARACTER_MAX = 4;

/**
 * Detects UTF-8 unless the file starts with the byte order mark of UTF-16, or its first chunk with a byte beyond
 * ASCII contains no UTF-8 character: spreadsheets on Windows save a plain “CSV” like that. Later chunks change
 * nothing.
 */
function createCsvDecoder(): CsvDecoder {
  let decoder: TextDecoder | undefined;
  let encoding: CsvEncoding = 'utf-8';
  let isAtStart = true;
  let held = Buffer.alloc(0);

  function chosen(bytes: Buffer, isEnd: boolean): CsvEncoding | 'ascii' | undefined {
    if (isAtStart && bytes.length < CHARACTER_MAX && !isEnd) return undefined;
    if (isAtStart && isUtf16(bytes)) return 'utf-16';
    const text = bytes.toString('latin1');
    const first = text.search(NOT_ASCII);
    if (first < 0) return 'ascii';
    if (MULTIBYTE.test(text)) return 'utf-8';
    return isEnd || first <= text.length - CHARACTER_MAX ? 'windows-1252' : undefined;
  }

  function decode(piece: Buffer, isEnd: boolean): string {
    if (decoder) return decoder.decode(piece, { stream: !isEnd });
    const bytes = Buffer.concat([held, piece]);
    const known = chosen(bytes, isEnd);
    held = known ? Buffer.alloc(0) : bytes;
    if (!known) return '';
    isAtStart = false;
    if (known === 'ascii') return bytes.toString('latin1');
    encoding = known;
    decoder = new TextDecoder(known === 'utf-16' && bytes[0] === 0xfe ? 'utf-16be' : known);
    return decoder.decode(bytes, { stream: !isEnd });
  }

  return {
    decode: (bytes) => decode(bytes, false),
    end: () => decode(Buffer.alloc(0), true),
    get encoding() {
      return encoding;
    },
  };
}

const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** Chunk of a file, consisting of whole rows. */
export interface CsvBlock {
  text: string;
  /** Number of its first line, from 1. */
  line: number;
  /** Bytes of the file read up to the end of this block. */
  bytesRead: number;
  /** Its quotes don't match, so each line must be read separately. */
  isBroken: boolean;
  /** Encoding used so far. */
  encoding: CsvEncoding;
}

/** About 250 rows. */
const BLOCK_LENGTH = 16_384;
/** Maximum length of a row, also if a stray quote makes one; longer ones are skipped. */
const ROW_LENGTH_MAX = 262_144;

/**
 * Splits a file into blocks that end at the end of a row: a line break outside quotes. Accepts a byte order mark,
 * every kind of line break, and encodings other than UTF-8 (`createCsvDecoder`). Buffers at most a block or a row,
 * and frees each chunk once it is read.
 * @throws Refusal BAD_REQUEST (415) if the file isn't text
 */
export async function* readCsvBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvBlock, void, undefined> {
  const decoder = createCsvDecoder();
  let remaining = '';
  let carriage = '';
  let line = 1;
  let bytesRead = 0;

  /** Normalises line breaks to `\n`; a `\r` at the end may be half of one. */
  function take(text: string): string {
    const whole = carriage + text;
    carriage = whole.endsWith('\r') ? '\r' : '';
    const complete = carriage ? whole.slice(0, -1) : whole;
    return complete.includes('\r') ? complete.replace(/\r\n?/g, '\n') : complete;
  }

  function cut(length: number, isBroken: boolean): CsvBlock {
    const text = remaining.slice(0, length);
    const block = { text, line, bytesRead, isBroken, encoding: decoder.encoding };
    line += countOf('\n', text);
    remaining = remaining.slice(length);
    return block;
  }

  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += BLOCK_LENGTH) {
      const piece = chunk.subarray(at, at + BLOCK_LENGTH);
      bytesRead += piece.length;
      remaining += take(requireText(decoder.decode(piece)));
      if (remaining.length < BLOCK_LENGTH) continue;
      const end = endOfRows(remaining);
      if (end > 0) yield cut(end, false);
      else if (remaining.length > ROW_LENGTH_MAX) yield cut(endOfLines(remaining), true);
    }
    release(chunk);
  }
  remaining += take(requireText(decoder.end())) + carriage;
  if (remaining) yield cut(remaining.length, countOf('"', remaining) % 2 === 1);
}

/**
 * Frees the bytes of a chunk that has been read, if it owns its buffer. Queued chunks get old, and the garbage
 * collector lets a hundred megabytes of old ones accumulate.
 */
function release({ byteLength, buffer }: Buffer): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Returns the position after the last line break outside quotes; 0 if there is none. */
function endOfRows(text: string): number {
  let isOpen = countOf('"', text) % 2 === 1;
  let end = text.length;
  for (;;) {
    const lineBreak = text.lastIndexOf('\n', end - 1);
    const quote = end > 0 ? text.lastIndexOf('"', end - 1) : -1;
    if (lineBreak > quote && !isOpen) return lineBreak + 1;
    if (quote <= 0) return 0;
    isOpen = !isOpen;
    end = quote;
  }
}

/** Returns the position after the last line break; the full length if it is one endless line. */
const endOfLines = (text: string): number => text.lastIndexOf('\n') + 1 || text.length;

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

/** Characters that don't occur in text: images, archives and UTF-16 without a byte order mark are full of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const FOREIGN = /[\0-\x08\x0e-\x1f]/;

const CHECKED_LENGTH = 4_096;

function requireText(text: string): string {
  if (!text.includes('\0') && !FOREIGN.test(text.slice(0, CHECKED_LENGTH))) return text;
  throw new Refusal('BAD_REQUEST', { status: 415, message: 'File format not supported' });
}
