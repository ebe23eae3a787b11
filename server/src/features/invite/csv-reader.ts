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

interface CsvRow {
  line: number;
  cells: string[];
  /** Why the row can't be read. If set, `cells` contains the whole row. */
  problem?: string;
}

/** Returns the rows of a block, or undefined if it has unbalanced quotes. */
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

/** Reads each line of a block as a row, to limit a stray quote's effect to its own row. */
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

/** Reads the blocks of a single file in order. */
export interface CsvReader {
  /** Returns the people in a block, skipping the header and empty rows. */
  read(block: CsvBlock): InviteRow[];
  /** Format detected in the first block; undefined until that block has been read. */
  readonly format: CsvFormat | undefined;
}

export interface CsvFormat {
  delimiter: string;
  /** Undefined if there is no header, or if the header names no known column. */
  columns: CsvColumns | undefined;
  /** Number of the last line before the data rows. */
  headerLine: number;
  /** Header cells; empty if there is no header. */
  header: readonly string[];
  /** First data cell of each column. */
  samples: readonly string[];
}

/**
 * Returns a reader for one file.
 * @param primaryAttrField the organisation's name for its primary attribute, which a header may use.
 * @param named fields of the manually chosen columns; if set, a first row without an address is a header.
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
 * Returns false if an unclosed quote merged several rows. An address never contains a line break, and a name with a
 * line break (Alt+Enter in a spreadsheet) is never followed by an address.
 */
const isWhole = ({ email, firstName, lastName, primaryAttr }: InviteRow): boolean =>
  !email.includes('\n') && ![firstName, lastName, primaryAttr].some((text) => /\n.*@/s.test(text));

const namedOnOneLine = (row: InviteRow): InviteRow => ({
  ...row,
  firstName: withoutLineBreaks(row.firstName),
  lastName: withoutLineBreaks(row.lastName),
  primaryAttr: withoutLineBreaks(row.primaryAttr),
});

/** Replaces line breaks with spaces. */
export const withoutLineBreaks = (text: string): string =>
  text.includes('\n') ? text.replace(/\s*\n\s*/g, ' ') : text;

const DELIMITERS = [',', ';', '\t'] as const;
/** Maximum number of lines searched for a header. */
const SEARCHED_LINES = 10;

/**
 * Detects the column separator. Prefers the separator that a spreadsheet declares in the first line (`sep=;`, also in
 * quotes), then a separator that turns one of the first lines into a header, then the most frequent separator outside
 * quotes in the first line that contains one.
 * @returns the separator, and the number of the line that only declares it, otherwise 0.
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
  /** Returns the text of the next bytes, up to the last complete character. */
  decode(bytes: Buffer): string;
  /** Returns the incomplete remainder at the end of the file. */
  end(): string;
  /** Encoding detected so far. Pure ASCII counts as UTF-8. */
  readonly encoding: CsvEncoding;
}

const MULTIBYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;
const NOT_ASCII = /[\x80-\xff]/;
/** Maximum number of bytes in a UTF-8 character. */
const CHARACTER_MAX = 4;

/**
 * Returns a decoder that assumes UTF-8 unless the file starts with the UTF-16 byte order mark, or its first chunk
 * with non-ASCII bytes contains no valid UTF-8 character. Spreadsheets on Windows don't save plain “CSV” as UTF-8.
 * Later chunks don't change the detected encoding.
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

/** A section of a file that consists of whole rows. */
export interface CsvBlock {
  text: string;
  /** Number of the block's first line, from 1. */
  line: number;
  /** Number of bytes of the file read up to the end of this block. */
  bytesRead: number;
  /** True if the block's quotes are unbalanced, which requires reading each line separately. */
  isBroken: boolean;
  encoding: CsvEncoding;
}

/** Target block length, in characters: about 250 rows. */
const BLOCK_LENGTH = 16_384;
/** Maximum row length, in characters. Longer rows, which can result from a stray quote, are skipped. */
const ROW_LENGTH_MAX = 262_144;

/**
 * Splits a file into blocks that end at the end of a row, which is a line break outside quotes. Accepts a byte order
 * mark, any style of line break, and encodings other than UTF-8 (`createCsvDecoder`). Buffers at most one block or
 * row, and frees each chunk once it has been read.
 * @throws Refusal BAD_REQUEST (415) if the file isn't text
 */
export async function* readCsvBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvBlock, void, undefined> {
  const decoder = createCsvDecoder();
  let remaining = '';
  let carriage = '';
  let line = 1;
  let bytesRead = 0;

  /**
   * Normalises line breaks to line feeds. A `\r` at the end may be the first half of a line break, so it is read with
   * the next text.
   */
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
 * Frees a chunk's bytes once read, if the chunk owns its buffer. Queued chunks move to the old generation, where the
 * garbage collector lets them accumulate to a hundred megabytes.
 */
function release({ byteLength, buffer }: Buffer): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Returns the position after the last line break outside quotes, or 0 if there is none. */
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

/** Returns the position after the last line break, or the text's length if it is one endless line. */
const endOfLines = (text: string): number => text.lastIndexOf('\n') + 1 || text.length;

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

/** Characters that never occur in text, but are common in images, archives and UTF-16 without a byte order mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const FOREIGN = /[\0-\x08\x0e-\x1f]/;

const CHECKED_LENGTH = 4_096;

function requireText(text: string): string {
  if (!text.includes('\0') && !FOREIGN.test(text.slice(0, CHECKED_LENGTH))) return text;
  throw new Refusal('BAD_REQUEST', { status: 415, message: 'File format not supported' });
}
