import { LIMITS } from '@orchestrate/shared';
import type { Sharp } from 'sharp';
import { type ImageType, imageTypeOf } from './image-type.ts';
import { type Stripped, stripMetadata } from './strip-metadata.ts';

/** Quality of a picture that has to be compressed again, in percent: no difference can be seen. */
const QUALITY = 95;

/**
 * What is kept of a picture, or why it cannot be a logo, as a sentence. It is read to its last pixel, because a header
 * alone shows nothing, and a small file can unfold to gigabytes. Of one that moves the first frame is kept, in its own
 * format: a page has no way to stop it (WCAG 2.2.2). Metadata is removed; a picture that only EXIF turns upright is
 * turned itself. The library is loaded with the first picture: most portals never see one.
 */
export async function readPicture(
  bytes: Buffer,
  pixelsMax = LIMITS.logoPixels,
): Promise<(Stripped & { type: ImageType; pixels: number }) | { refused: string }> {
  const type = imageTypeOf(bytes);
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true, pages: -1 });
  try {
    const { width, height, pages = 1, pageHeight = height, orientation = 1 } = await picture.metadata();
    const pixels = width * pageHeight * pages;
    if (!type || type === 'image/svg+xml') throw new Error('Not a picture of pixels');
    if (pixels > pixelsMax) {
      const frames = pages > 1 ? `${pages} frames of ` : '';
      const refused = `This picture has ${frames}${width} × ${pageHeight} pixels; the limit is ${LIMITS.logoPixels / 1_000_000} million in total`;
      return { refused };
    }
    await picture.stats();
    const isStill = pages === 1 && !isAnimatedPng(bytes);
    const still = isStill && orientation === 1 ? bytes : await compressed(sharp(bytes).autoOrient(), type, bytes);
    const stripped = stripMetadata(still, type);
    const removed = orientation === 1 ? stripped.removed : [...new Set(['EXIF', ...stripped.removed])];
    return { bytes: stripped.bytes, removed, type, pixels };
  } catch {
    return { refused: 'This picture is damaged' };
  }
}

function compressed(picture: Sharp, type: ImageType, original: Buffer): Promise<Buffer> {
  const withColours = picture.keepIccProfile();
  // The chunk of a picture without loss (RFC 9649 §2.6).
  const lossless = original.includes('VP8L');
  if (type === 'image/jpeg') return withColours.jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
  return (type === 'image/webp' ? withColours.webp({ quality: QUALITY, lossless }) : withColours).toBuffer();
}

/** Whether a PNG has frames that the library does not count: `acTL` is before its picture (W3C PNG 3 §11.3.6.1). */
function isAnimatedPng(bytes: Buffer): boolean {
  const control = bytes.indexOf('acTL');
  return imageTypeOf(bytes) === 'image/png' && control > 0 && control < bytes.indexOf('IDAT');
}
