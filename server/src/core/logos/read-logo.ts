import { createHash } from 'node:crypto';
import type { logoRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { UploadedFile } from '../../platform/http/requests/uploads.ts';
import { readUtf8 } from '../../platform/read-utf8.ts';
import { belies, type ImageType, imageTypeOf } from './image-type.ts';
import { readPicture } from './read-picture.ts';
import { SvgRefused, sanitiseSvg } from './sanitise-svg.ts';

export type Logo = Omit<logoRepo.LogoRow, 'orgCode'>;

/** The logo in a file, or a sentence saying why it cannot be one; undefined if the form was sent without a file. */
export async function readLogo(file: UploadedFile): Promise<Logo | { refused: string } | undefined> {
  const bytes = file.isTooLarge ? undefined : await contentOf(file);
  if (!bytes) return { refused: `File is larger than ${LIMITS.logoBytes / 1_048_576} MB` };
  if (bytes.length === 0) return file.name === '' ? undefined : { refused: 'This file is empty' };
  const contentType = imageTypeOf(bytes);
  if (belies(file.name, contentType)) return { refused: 'The content of this file does not match its name' };
  if (!contentType) return { refused: 'Only PNG, JPEG, WebP, GIF, SVG files are allowed' };
  if (contentType !== 'image/svg+xml') {
    const read = await readPicture(bytes);
    return 'refused' in read ? read : logoOf(contentType, read.bytes);
  }
  const text = readUtf8(bytes);
  if (text === undefined) return { refused: 'This SVG is not well-formed' };
  try {
    return logoOf(contentType, Buffer.from(await sanitiseSvg(text)));
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
