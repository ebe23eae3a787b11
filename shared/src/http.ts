/** Matches a valid header value (RFC 9110 §5.5). */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Returns the `Authorization` header for a token.
 * @param name name of the token's source, for the error message, which must not contain the token
 * @throws TypeError if headers cannot contain the token. `fetch` would otherwise fail as if the server were
 * unreachable
 */
export function bearer(name: string, token: string): { authorization: string } {
  const trimmed = token.trim();
  if (HEADER_VALUE.test(trimmed)) return { authorization: `Bearer ${trimmed}` };
  throw new TypeError(`${name} contains a line break or another character that isn't allowed in headers.`);
}

/** Decodes a path for display. Returns an invalid path unchanged. */
export function decodedPath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Parses JSON. Returns undefined if the string is null or isn't valid JSON. */
export function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
