import { TextDecoder } from 'node:util';
import type { CsvEncoding } from '@orchestrate/shared';
import { Refusal } from '../../platform/refusal.ts';

/** Decodes a file that arrives in pieces. */
interface CsvDecoder {
  /** The text of the next bytes, as far as they are complete. */
  decode(bytes: Buffer): string;
  /** What was still incomplete at the end of the file. */
  end(): string;
  /** As far as is known; a file of nothing but ASCII is UTF-8. */
  readonly encoding: CsvEncoding;
}

const MULTIBYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;
const NOT_ASCII = /[\x80-\xff]/;
/** A character of UTF-8 has at most four bytes. */
const CHARACTER_MAX = 4;

/**
 * UTF-8 unless the file begins with the byte order mark of UTF-16, or its first piece with a byte beyond ASCII has no
 * character of UTF-8 in it: that is how spreadsheets on Windows save a plain “CSV”. Later pieces change nothing.
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

/** A piece of a file, made of whole rows. */
export interface CsvBlock {
  text: string;
  /** Number of its first line, from 1. */
  line: number;
  /** How much of the file has been read up to the end of this block. */
  bytesRead: number;
  /** Its quotes do not match, so each line must be read by itself. */
  isBroken: boolean;
  /** The encoding by which the file has been read so far. */
  encoding: CsvEncoding;
}

/** About two hundred and fifty rows. */
const BLOCK_LENGTH = 16_384;
/** Maximum length of a row, including what a stray quote makes look like one; longer ones are abandoned. */
const ROW_LENGTH_MAX = 262_144;

/**
 * Cuts a file into blocks that end at the end of a row: a line break outside quotes. Accepts a byte order mark and
 * every kind of line break, and other encodings than UTF-8 (`createCsvDecoder`). Never holds more than a block or a
 * row, and empties each chunk once it is read.
 * @throws Refusal BAD_REQUEST (415) where this is not text
 */
export async function* readCsvBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvBlock, void, undefined> {
  const decoder = createCsvDecoder();
  let kept = '';
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
    const text = kept.slice(0, length);
    const block = { text, line, bytesRead, isBroken, encoding: decoder.encoding };
    line += countOf('\n', text);
    kept = kept.slice(length);
    return block;
  }

  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += BLOCK_LENGTH) {
      const piece = chunk.subarray(at, at + BLOCK_LENGTH);
      bytesRead += piece.length;
      kept += take(requireText(decoder.decode(piece)));
      if (kept.length < BLOCK_LENGTH) continue;
      const end = endOfRows(kept);
      if (end > 0) yield cut(end, false);
      else if (kept.length > ROW_LENGTH_MAX) yield cut(endOfLines(kept), true);
    }
    release(chunk);
  }
  kept += take(requireText(decoder.end())) + carriage;
  if (kept) yield cut(kept.length, countOf('"', kept) % 2 === 1);
}

/**
 * Frees the bytes of a chunk that has been read, if nothing else is in their buffer. Chunks queue long enough to count
 * as old, and the collector lets a hundred megabytes of old ones wait.
 */
function release({ byteLength, buffer }: Buffer): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The position after the last line break outside quotes; 0 if there is none. */
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

/** The position after the last line break; the full length if it is one endless line. */
const endOfLines = (text: string): number => text.lastIndexOf('\n') + 1 || text.length;

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

/** Characters that do not occur in text: pictures, archives and UTF-16 without a byte order mark are full of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FOREIGN = /[\0-\x08\x0e-\x1f]/;

const CHECKED_LENGTH = 4_096;

function requireText(text: string): string {
  if (!text.includes('\0') && !FOREIGN.test(text.slice(0, CHECKED_LENGTH))) return text;
  throw new Refusal('BAD_REQUEST', { status: 415, message: 'File format not supported' });
}
