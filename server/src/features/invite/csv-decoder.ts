import { TextDecoder } from 'node:util';
import type { CsvEncoding } from '@orchestrate/shared';

/** Decodes a file that arrives in pieces. */
export interface CsvDecoder {
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
export function createCsvDecoder(): CsvDecoder {
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
