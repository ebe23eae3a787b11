import type { ImageType } from './image-type.ts';

export interface Stripped {
  bytes: Buffer;
  /** The names of what was removed, e.g. `EXIF`. */
  removed: string[];
}

/**
 * A picture without what describes it: camera, place, author, editor, thumbnails. Its pixels and colour profile stay as
 * they are, to the bit. @param bytes one still picture that a decoder has read to its end
 */
export function stripMetadata(bytes: Buffer, type: ImageType): Stripped {
  const strip = BY_TYPE[type];
  return strip ? strip(bytes) : { bytes, removed: [] };
}

const BY_TYPE: Partial<Record<ImageType, (bytes: Buffer) => Stripped>> = {
  'image/png': stripPng,
  'image/jpeg': stripJpeg,
  'image/webp': stripWebp,
  'image/gif': stripGif,
};

class Kept {
  readonly #parts: Buffer[] = [];
  readonly #removed = new Set<string>();

  keep(part: Buffer): void {
    this.#parts.push(part);
  }

  remove(name: string): void {
    this.#removed.add(name);
  }

  result(): Stripped {
    return { bytes: Buffer.concat(this.#parts), removed: [...this.#removed] };
  }
}

/** Chunks that say how the pixels look (W3C PNG 3 §11). */
const PNG_CHUNKS = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs'.split(' '));

function stripPng(bytes: Buffer): Stripped {
  const kept = new Kept();
  kept.keep(bytes.subarray(0, 8));
  for (let start = 8; start + 12 <= bytes.length; ) {
    const end = start + 12 + bytes.readUInt32BE(start);
    const name = bytes.toString('latin1', start + 4, start + 8);
    if (PNG_CHUNKS.has(name)) kept.keep(bytes.subarray(start, end));
    else kept.remove(name === 'eXIf' ? 'EXIF' : name);
    if (name === 'IEND') break;
    start = end;
  }
  return kept.result();
}

/** Segments of a JPEG (ITU T.81 annex B) except those of applications and comments, which `isKept` judges. */
function stripJpeg(bytes: Buffer): Stripped {
  const kept = new Kept();
  kept.keep(bytes.subarray(0, 2));
  for (let start = 2; start + 4 <= bytes.length; ) {
    const marker = bytes[start + 1] ?? 0;
    if (bytes[start] !== 0xff || marker === 0xff) {
      start += 1;
      continue;
    }
    if (marker === 0xd9) break;
    let end = start + 2 + bytes.readUInt16BE(start + 2);
    const name = segmentName(marker, bytes.toString('latin1', start + 4, start + 34));
    if (marker === 0xda) end = endOfScan(bytes, end);
    if (name === undefined) kept.keep(bytes.subarray(start, end));
    else kept.remove(name);
    start = end;
  }
  kept.keep(Buffer.of(0xff, 0xd9));
  return kept.result();
}

/** Undefined for a segment that decides how the pixels look. */
function segmentName(marker: number, content: string): string | undefined {
  if (marker === 0xfe) return 'COM';
  if (marker < 0xe0 || marker > 0xef) return undefined;
  if (/^(?:JFIF\0|ICC_PROFILE\0|Adobe)/.test(content)) return undefined;
  if (content.startsWith('Exif\0')) return 'EXIF';
  if (content.startsWith('http://ns.adobe.com/x')) return 'XMP';
  return marker === 0xed ? 'IPTC' : `APP${marker - 0xe0}`;
}

/** Within a scan, 0xff is followed by 0 or by a restart marker. */
function endOfScan(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(0xff, start);
  while (end >= 0 && /^[\0\xd0-\xd7]/.test(bytes.toString('latin1', end + 1, end + 2))) {
    end = bytes.indexOf(0xff, end + 2);
  }
  return end < 0 ? bytes.length : end;
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP']);

function stripWebp(bytes: Buffer): Stripped {
  const kept = new Kept();
  const wholeLength = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  kept.keep(Buffer.from(bytes.subarray(0, 12)));
  for (let start = 12; start + 8 <= wholeLength; ) {
    const length = bytes.readUInt32LE(start + 4);
    const end = start + 8 + length + (length % 2);
    const name = bytes.toString('latin1', start, start + 4);
    const chunk = Buffer.from(bytes.subarray(start, end));
    // Its flags no longer announce EXIF and XMP (RFC 9649 §2.7).
    if (name === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x0c, 8);
    if (WEBP_CHUNKS.has(name)) kept.keep(chunk);
    else kept.remove(name.trim());
    start = end;
  }
  const result = kept.result();
  result.bytes.writeUInt32LE(result.bytes.length - 8, 4);
  return result;
}

/** Blocks of a GIF (GIF89a §12): the colours, the pictures, and the extension that makes a colour transparent. */
function stripGif(bytes: Buffer): Stripped {
  const kept = new Kept();
  const paletteLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const endOfBlocks = (start: number) => {
    let end = start;
    while (bytes[end]) end += 1 + (bytes[end] ?? 0);
    return end + 1;
  };
  let start = 13 + paletteLength(bytes[10] ?? 0);
  kept.keep(bytes.subarray(0, start));
  while (bytes[start] === 0x21 || bytes[start] === 0x2c) {
    const isPicture = bytes[start] === 0x2c;
    const end = endOfBlocks(isPicture ? start + 11 + paletteLength(bytes[start + 9] ?? 0) : start + 2);
    if (isPicture || bytes[start + 1] === 0xf9) kept.keep(bytes.subarray(start, end));
    else kept.remove(bytes[start + 1] === 0xfe ? 'Comment' : 'Application data');
    start = end;
  }
  kept.keep(Buffer.of(0x3b));
  return kept.result();
}
