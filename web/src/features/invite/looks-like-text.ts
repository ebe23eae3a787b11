const SAMPLE_BYTES = 4_096;

/** Whether a file may be CSV at all: text has no zero bytes, but pictures and spreadsheets do. */
export async function looksLikeText(file: File): Promise<boolean> {
  const sample = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  return !sample.includes(0);
}
