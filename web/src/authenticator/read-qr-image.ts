import { loadPart } from '../lib/browser/lazy-part.ts';

/** Enough for a code that fills a tenth of a photograph; more only takes longer. */
const MAX_SIDE = 1_600;

/**
 * The text of the QR code in a picture, or null where none can be read. Never rejects: a broken picture counts as one
 * without a code.
 */
export async function readQrImage(picture: Blob): Promise<string | null> {
  const bitmap = await createImageBitmap(picture).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  try {
    return await readQrSource(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  } finally {
    bitmap.close();
  }
}

/** The same for anything that can be drawn, at this size in px. The decoder is fetched when first needed. */
export async function readQrSource(source: CanvasImageSource, width: number, height: number): Promise<string | null> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || width === 0 || height === 0) return null;
  // A transparent picture of dark modules would be black on black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  const { decodeQR } = await loadPart(() => import('qr/decode.js'));
  try {
    return decodeQR(context.getImageData(0, 0, width, height), { timeLimit: 500 });
  } catch {
    return null;
  }
}
