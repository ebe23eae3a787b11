/** Parses JSON. Returns undefined if the text is missing or is not valid JSON. */
export function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
