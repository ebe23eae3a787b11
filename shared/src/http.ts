/** What the value of a header may have (RFC 9110 §5.5). */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The header that brings a token.
 * @param name of what the token was given as: the message does not show the token
 * @throws TypeError where no header can have it: `fetch` would fail as if nobody had answered
 */
export function bearer(name: string, token: string): { authorization: string } {
  const given = token.trim();
  if (HEADER_VALUE.test(given)) return { authorization: `Bearer ${given}` };
  throw new TypeError(`${name} has a line break or another character that headers cannot contain.`);
}

/** A path as people read it; one that is encoded wrongly stays as it is. */
export function decodedPath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Parses JSON. Returns undefined if the text is missing or is not valid JSON. */
export function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
