/** The text of bytes in UTF-8, without a byte order mark; undefined where they are not UTF-8. */
export function readUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
