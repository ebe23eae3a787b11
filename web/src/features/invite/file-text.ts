/** True if the file starts with UTF-16's byte order mark. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const SAMPLE_BYTES = 4_096;

/** True if the file could be CSV: text contains no zero bytes, except in UTF-16; pictures and spreadsheets do. */
export async function looksLikeText(file: File): Promise<boolean> {
  const sample = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  return isUtf16(sample) || !sample.includes(0);
}
