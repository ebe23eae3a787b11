import { createHash } from 'node:crypto';
import type { logoRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import { decodeXml } from '../../platform/decode-xml.ts';
import type { UploadedFile } from '../../platform/http/requests/uploads.ts';
import { belies, type ImageType, imageTypeOf } from './image-type.ts';
import { readPicture } from './read-picture.ts';
import { SvgRefused, sanitiseSvg } from './sanitise-svg.ts';

export type Logo = Omit<logoRepo.LogoRow, 'orgCode'>;

export interface ReadLogo {
  logo: Logo;
  /** The names of what was left out, as the file or its format calls it: `<script>`, `@import`, `EXIF`. */
  removed: string[];
}

/** The logo in a file, or a sentence saying why it cannot be one; undefined if the form was sent without a file. */
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
  // All pictures in it together may have as many pixels as one alone.
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

/** Undefined if it exceeds the size limit of a logo; it is then read no further. */
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
