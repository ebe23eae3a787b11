import { LIMITS } from '@orchestrate/shared';

/**
 * Why a picture cannot be a logo, as a sentence; undefined if it can. It is read to its last pixel, because a header
 * alone shows nothing, and a small file can unfold to gigabytes. The library is loaded with the first picture: most
 * portals never see one.
 */
export async function problemWithPicture(bytes: Buffer): Promise<string | undefined> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true, pages: -1 });
  try {
    const { width, height, pages = 1, pageHeight = height } = await picture.metadata();
    if (width * pageHeight * pages > LIMITS.logoPixels) {
      const frames = pages > 1 ? `${pages} frames of ` : '';
      return `This picture has ${frames}${width} × ${pageHeight} pixels; ${LIMITS.logoPixels / 1_000_000} million in all can be saved`;
    }
    await picture.stats();
    return undefined;
  } catch {
    return 'This picture is damaged';
  }
}
