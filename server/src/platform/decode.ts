import { declareUtf8 } from '@orchestrate/shared';

/** The text of an XML file, or a sentence saying why it cannot be decoded. */
export type DecodedXml = { text: string } | { refused: string };

const DECLARATION = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["'][^>]*?\?>/;

/**
 * Decodes an XML file as its byte order mark, its transport or its declaration says, in this order (RFC 7303 §3;
 * XML 1.0 appendix F), and as UTF-8 if none of them does. The text has no byte order mark, and declares
 * only UTF-8, as which it is stored and served.
 * @param charset the encoding that the transport named, e.g. in Content-Type
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

/** The encoding that the first bytes prove: a byte order mark, or `<` in two bytes. */
function markedEncoding(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 4);
  if (head.startsWith('\xef\xbb\xbf')) return 'utf-8';
  if (head.startsWith('\xff\xfe') || /^<\0[^\0]\0/.test(head)) return 'utf-16le';
  if (head.startsWith('\xfe\xff') || /^\0<\0[^\0]/.test(head)) return 'utf-16be';
  return undefined;
}

/** Programs that write UTF-8 sometimes declare UTF-16: a declaration that can be read byte by byte disproves it. */
function declaredEncoding(bytes: Buffer): string | undefined {
  const declared = DECLARATION.exec(bytes.toString('latin1', 0, 200).trimStart())?.[1];
  return declared && /^utf-?16/i.test(declared) ? undefined : declared;
}

/** The text of bytes in UTF-8, without a byte order mark; undefined where they are not UTF-8. */
export function readUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
