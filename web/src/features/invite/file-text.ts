/** Whether a file begins with the byte order mark of UTF-16. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const SAMPLE_BYTES = 4_096;

/** Whether a file may be CSV at all: text has no zero bytes, but for UTF-16; pictures and spreadsheets do. */
export async function looksLikeText(file: File): Promise<boolean> {
  const sample = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  return isUtf16(sample) || !sample.includes(0);
}
