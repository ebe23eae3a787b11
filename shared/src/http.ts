/** Characters of a header value (RFC 9110 §5.5). */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Returns the header that contains a token.
 * @param name name of the token's source, for the error: the message does not contain the token
 * @throws TypeError if no header can contain it: `fetch` would fail as if the server was unreachable
 */
export function bearer(name: string, token: string): { authorization: string } {
  const trimmed = token.trim();
  if (HEADER_VALUE.test(trimmed)) return { authorization: `Bearer ${trimmed}` };
  throw new TypeError(`${name} has a line break or another character that headers cannot contain.`);
}

/** Decodes a path for people; returns an invalid one unchanged. */
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
