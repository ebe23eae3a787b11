import { declareUtf8 } from '@orchestrate/shared';

/** Text of an XML file, or a message explaining why it can't be decoded. */
export type DecodedXml = { text: string } | { refused: string };

const DECLARATION = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["'][^>]*?\?>/;

/**
 * Decodes an XML file by its byte order mark, `charset` or declaration, in this order (RFC 7303 §3; XML 1.0 appendix
 * F). Defaults to UTF-8. Removes the byte order mark and any declaration of another encoding, because the text is
 * stored and served as UTF-8.
 * @param charset encoding given by the transport, e.g. in Content-Type
 */
export function decodeXml(bytes: Buffer, charset?: string): DecodedXml {
  const encoding = markedEncoding(bytes) ?? charset ?? declaredEncoding(bytes) ?? 'utf-8';
  const decoder = decoderOf(encoding);
  if (!decoder) return { refused: `The encoding ${encoding.slice(0, 40)} is not supported. Save the file as UTF-8.` };
  try {
    return { text: declareUtf8(decoder.decode(bytes)) };
  } catch {
    return { refused: `This file is not valid ${decoder.encoding.toUpperCase()}. Save it as UTF-8.` };
  }
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    return undefined;
  }
}

/** Detects the encoding from a byte order mark or a two-byte `<`. */
function markedEncoding(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 4);
  if (head.startsWith('\xef\xbb\xbf')) return 'utf-8';
  if (head.startsWith('\xff\xfe') || /^<\0[^\0]\0/.test(head)) return 'utf-16le';
  if (head.startsWith('\xfe\xff') || /^\0<\0[^\0]/.test(head)) return 'utf-16be';
  return undefined;
}

/** Returns the declared encoding. Ignores UTF-16, because a declaration that can be read byte by byte isn't UTF-16. */
function declaredEncoding(bytes: Buffer): string | undefined {
  const declared = DECLARATION.exec(bytes.toString('latin1', 0, 200).trimStart())?.[1];
  return declared && /^utf-?16/i.test(declared) ? undefined : declared;
}

/** Decodes UTF-8 and removes the byte order mark. Returns undefined if the bytes aren't valid UTF-8. */
export function readUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
