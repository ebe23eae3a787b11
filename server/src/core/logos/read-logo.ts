import { createHash } from 'node:crypto';
import type { logoRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { Sharp } from 'sharp';
import { decodeXml } from '#platform/decode.ts';
import type { UploadedFile } from '#platform/http/requests/uploads.ts';
import { SvgRefused, sanitiseSvg } from './sanitise-svg.ts';

/** Allowed image types. */
type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/svg+xml';

const BY_EXTENSION: Readonly<Record<string, ImageType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/** Detects an image's type from its content. Returns undefined if the type isn't allowed. */
function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
  // The pattern skips NUL bytes, because in UTF-16 every second byte at the start is 0.
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(head) ? 'image/svg+xml' : undefined;
}

/** Returns true if the file extension contradicts the image type. */
function belies(name: string, type: ImageType | undefined): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return (BY_EXTENSION[extension] ?? type) !== type;
}

interface Stripped {
  bytes: Buffer;
  /** Names of the removed metadata, e.g. `EXIF`. */
  removed: string[];
}

/**
 * Removes metadata from an image: camera, location, author, editor, thumbnails. Pixels and colour profile stay
 * identical.
 * @param bytes a still image that was decoded completely
 */
function stripMetadata(bytes: Buffer, type: ImageType): Stripped {
  const strip = BY_TYPE[type];
  return strip ? strip(bytes) : { bytes, removed: [] };
}

const BY_TYPE: Partial<Record<ImageType, (bytes: Buffer) => Stripped>> = {
  'image/png': stripPng,
  'image/jpeg': stripJpeg,
  'image/webp': stripWebp,
  'image/gif': stripGif,
};

class StripResult {
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

/** Chunks that affect the pixels (W3C PNG 3 §11). */
const PNG_CHUNKS = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs'.split(' '));

function stripPng(bytes: Buffer): Stripped {
  const output = new StripResult();
  output.keep(bytes.subarray(0, 8));
  for (let start = 8; start + 12 <= bytes.length; ) {
    const end = start + 12 + bytes.readUInt32BE(start);
    const name = bytes.toString('latin1', start + 4, start + 8);
    if (PNG_CHUNKS.has(name)) output.keep(bytes.subarray(start, end));
    else output.remove(name === 'eXIf' ? 'EXIF' : name);
    if (name === 'IEND') break;
    start = end;
  }
  return output.result();
}

/** Keeps a JPEG's segments (ITU T.81 annex B) except application data and comments (`segmentName`). */
function stripJpeg(bytes: Buffer): Stripped {
  const output = new StripResult();
  output.keep(bytes.subarray(0, 2));
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
    if (name === undefined) output.keep(bytes.subarray(start, end));
    else output.remove(name);
    start = end;
  }
  output.keep(Buffer.of(0xff, 0xd9));
  return output.result();
}

/** Returns the name of a segment to remove, or undefined if the segment affects the pixels. */
function segmentName(marker: number, content: string): string | undefined {
  if (marker === 0xfe) return 'COM';
  if (marker < 0xe0 || marker > 0xef) return undefined;
  if (/^(?:JFIF\0|ICC_PROFILE\0|Adobe)/.test(content)) return undefined;
  if (content.startsWith('Exif\0')) return 'EXIF';
  if (content.startsWith('http://ns.adobe.com/x')) return 'XMP';
  return marker === 0xed ? 'IPTC' : `APP${marker - 0xe0}`;
}

/** Returns the end of a scan. Within a scan, 0xff is followed by 0 or a restart marker. */
function endOfScan(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(0xff, start);
  while (end >= 0 && /^[\0\xd0-\xd7]/.test(bytes.toString('latin1', end + 1, end + 2))) {
    end = bytes.indexOf(0xff, end + 2);
  }
  return end < 0 ? bytes.length : end;
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP']);

function stripWebp(bytes: Buffer): Stripped {
  const output = new StripResult();
  const wholeLength = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  output.keep(Buffer.from(bytes.subarray(0, 12)));
  for (let start = 12; start + 8 <= wholeLength; ) {
    const length = bytes.readUInt32LE(start + 4);
    const end = start + 8 + length + (length % 2);
    const name = bytes.toString('latin1', start, start + 4);
    const chunk = Buffer.from(bytes.subarray(start, end));
    // Clears the flags for EXIF and XMP (RFC 9649 §2.7).
    if (name === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x0c, 8);
    if (WEBP_CHUNKS.has(name)) output.keep(chunk);
    else output.remove(name.trim());
    start = end;
  }
  const result = output.result();
  result.bytes.writeUInt32LE(result.bytes.length - 8, 4);
  return result;
}

/** Keeps a GIF's colours, images and transparency extension (GIF89a §12). */
function stripGif(bytes: Buffer): Stripped {
  const output = new StripResult();
  const paletteLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const endOfBlocks = (start: number) => {
    let end = start;
    while (bytes[end]) end += 1 + (bytes[end] ?? 0);
    return end + 1;
  };
  let start = 13 + paletteLength(bytes[10] ?? 0);
  output.keep(bytes.subarray(0, start));
  while (bytes[start] === 0x21 || bytes[start] === 0x2c) {
    const isPicture = bytes[start] === 0x2c;
    const end = endOfBlocks(isPicture ? start + 11 + paletteLength(bytes[start + 9] ?? 0) : start + 2);
    if (isPicture || bytes[start + 1] === 0xf9) output.keep(bytes.subarray(start, end));
    else output.remove(bytes[start + 1] === 0xfe ? 'Comment' : 'Application data');
    start = end;
  }
  output.keep(Buffer.of(0x3b));
  return output.result();
}

/** Quality for re-encoding an image without visible difference, in percent. */
const QUALITY = 95;

/**
 * Reads an image, or returns a message that explains why it can't be a logo. Decodes it completely, because the
 * header proves nothing and a small file can expand to gigabytes. Keeps only an animation's first frame, because a
 * page couldn't stop the animation (WCAG
 * 2.2.2). Removes metadata, and applies an EXIF rotation to the pixels. Loads the image library with the first image,
 * because most portals have no images.
 */
async function readPicture(
  bytes: Buffer,
  pixelsMax = LIMITS.logoPixels,
): Promise<(Stripped & { type: ImageType; pixels: number }) | { refused: string }> {
  const type = imageTypeOf(bytes);
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true, pages: -1 });
  try {
    const { width, height, pages = 1, pageHeight = height, orientation = 1 } = await picture.metadata();
    const pixels = width * pageHeight * pages;
    if (!type || type === 'image/svg+xml') throw new Error('Not a raster image');
    if (pixels > pixelsMax) {
      const frames = pages > 1 ? `${pages} frames of ` : '';
      const refused = `This image has ${frames}${width} × ${pageHeight} pixels; the limit is ${LIMITS.logoPixels / 1_000_000} million in total`;
      return { refused };
    }
    await picture.stats();
    const isStill = pages === 1 && !isAnimatedPng(bytes);
    const still = isStill && orientation === 1 ? bytes : await compressed(sharp(bytes).autoOrient(), type, bytes);
    const stripped = stripMetadata(still, type);
    const removed = orientation === 1 ? stripped.removed : [...new Set(['EXIF', ...stripped.removed])];
    return { bytes: stripped.bytes, removed, type, pixels };
  } catch {
    return { refused: 'This image is damaged' };
  }
}

function compressed(picture: Sharp, type: ImageType, original: Buffer): Promise<Buffer> {
  const withColours = picture.keepIccProfile();
  // VP8L is the lossless format (RFC 9649 §2.6).
  const lossless = original.includes('VP8L');
  if (type === 'image/jpeg') return withColours.jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
  return (type === 'image/webp' ? withColours.webp({ quality: QUALITY, lossless }) : withColours).toBuffer();
}

/** Detects an animated PNG by `acTL` (W3C PNG 3 §11.3.6.1), because the library doesn't count its frames. */
function isAnimatedPng(bytes: Buffer): boolean {
  const control = bytes.indexOf('acTL');
  return imageTypeOf(bytes) === 'image/png' && control > 0 && control < bytes.indexOf('IDAT');
}

export type Logo = Omit<logoRepo.LogoRow, 'orgCode'>;

export interface ReadLogo {
  logo: Logo;
  /** Names of removed items, as they appear in the file: `<script>`, `@import`, `EXIF`. */
  removed: string[];
}

/**
 * Reads a logo, or returns a message that explains why the file can't be a logo. Returns undefined if the form has no
 * file.
 */
export async function readLogo(file: UploadedFile): Promise<ReadLogo | { refused: string } | undefined> {
  const bytes = file.isTooLarge ? undefined : await contentOf(file);
  if (!bytes) return { refused: `File is larger than ${LIMITS.logoBytes / 1_048_576} MB` };
  if (bytes.length === 0) return file.name === '' ? undefined : { refused: 'This file is empty' };
  const contentType = imageTypeOf(bytes);
  if (belies(file.name, contentType)) return { refused: 'The content of this file does not match its name' };
  if (!contentType) return { refused: 'Only PNG, JPEG, WebP, GIF, SVG files are allowed' };
  if (contentType === 'image/svg+xml') return readSvg(bytes);
  const read = await readPicture(bytes);
  return 'refused' in read ? read : { logo: logoOf(contentType, read.bytes), removed: read.removed };
}

async function readSvg(bytes: Buffer): Promise<ReadLogo | { refused: string }> {
  const decoded = decodeXml(bytes);
  if ('refused' in decoded) return decoded;
  // The limit applies to all embedded images together.
  let pixelsLeft = LIMITS.logoPixels;
  const embed = async (picture: Buffer) => {
    const read = await readPicture(picture, pixelsLeft);
    if ('refused' in read) return undefined;
    pixelsLeft -= read.pixels;
    return `data:${read.type};base64,${read.bytes.toString('base64')}`;
  };
  try {
    const { text, removed } = await sanitiseSvg(decoded.text, embed);
    return { logo: logoOf('image/svg+xml', Buffer.from(text)), removed };
  } catch (reason) {
    if (reason instanceof SvgRefused) return { refused: reason.message };
    throw reason;
  }
}

/** Reads a file. Returns undefined, and stops reading, if the file exceeds the size limit. */
async function contentOf({ chunks }: UploadedFile): Promise<Buffer | undefined> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > LIMITS.logoBytes) return undefined;
    read.push(chunk);
  }
  return Buffer.concat(read);
}

function logoOf(contentType: ImageType, bytes: Buffer): Logo {
  return { contentType, bytes, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
}
