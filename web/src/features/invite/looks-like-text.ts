const SAMPLE_BYTES = 4_096;

/** Whether a file may be a CSV file at all: text has no zero bytes, pictures and spreadsheets have. */
export async function looksLikeText(file: File): Promise<boolean> {
  const sample = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  return !sample.includes(0);
}
