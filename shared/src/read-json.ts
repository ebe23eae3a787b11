/** Parses a text that may be JSON; undefined where there is no text, or it isn't JSON. */
export function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
