import { LIMITS } from '@orchestrate/shared';
import { imageTypeOf } from './image-type.ts';

/**
 * What is kept of a picture, or why it cannot be a logo, as a sentence. It is read to its last pixel, because a header
 * alone shows nothing, and a small file can unfold to gigabytes. Of one that moves the first frame is kept, in its own
 * format: a page has no way to stop it (WCAG 2.2.2). The library is loaded with the first picture: most portals never
 * see one.
 */
export async function readPicture(bytes: Buffer): Promise<{ bytes: Buffer } | { refused: string }> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true, pages: -1 });
  try {
    const { width, height, pages = 1, pageHeight = height } = await picture.metadata();
    if (width * pageHeight * pages > LIMITS.logoPixels) {
      const frames = pages > 1 ? `${pages} frames of ` : '';
      const refused = `This picture has ${frames}${width} × ${pageHeight} pixels; ${LIMITS.logoPixels / 1_000_000} million in all can be saved`;
      return { refused };
    }
    await picture.stats();
    return { bytes: pages > 1 || isAnimatedPng(bytes) ? await sharp(bytes).toBuffer() : bytes };
  } catch {
    return { refused: 'This picture is damaged' };
  }
}

/** Whether a PNG has frames that the library does not count: `acTL` is before its picture (W3C PNG 3 §11.3.6.1). */
function isAnimatedPng(bytes: Buffer): boolean {
  const control = bytes.indexOf('acTL');
  return imageTypeOf(bytes) === 'image/png' && control > 0 && control < bytes.indexOf('IDAT');
}
