import { BerWriter } from 'ldapts';
import { type LdapEntry, type LdapResult, PAGED_RESULTS, TAG, TYPE } from './message.ts';

/** Encodes a result. @param id the request's message ID, or 0 for an unsolicited notification */
export function writeResult(
  id: number,
  tag: number,
  result: LdapResult,
  extension: { name?: string; value?: string } = {},
): Buffer {
  return written(id, tag, (writer) => writeOutcome(writer, result, extension));
}

function writeOutcome(
  writer: BerWriter,
  { code, message = '' }: LdapResult,
  { name, value }: { name?: string; value?: string } = {},
): void {
  writer.writeEnumeration(code);
  writer.writeString('');
  writer.writeString(message);
  if (name !== undefined) writer.writeString(name, 0x8a);
  if (value !== undefined) writer.writeString(value, 0x8b);
}

/**
 * Encodes the end of a search. @param cookie cookie for the next page: '' after the last page, undefined for an
 * unpaged search
 */
export function writeSearchDone(id: number, result: LdapResult, cookie: string | undefined): Buffer {
  const page = new BerWriter();
  page.startSequence();
  // Estimated total number of entries; 0 means unknown (RFC 2696 §2).
  page.writeInt(0);
  page.writeString(cookie ?? '');
  page.endSequence();
  return written(
    id,
    TAG.searchResultDone,
    (writer) => writeOutcome(writer, result),
    (writer) => {
      if (cookie === undefined) return;
      writer.startSequence(TAG.controls);
      writer.startSequence();
      writer.writeString(PAGED_RESULTS);
      writer.writeBuffer(page.buffer, TYPE.octetString);
      writer.endSequence();
      writer.endSequence();
    },
  );
}

/** Encodes a notice of disconnection, which is sent before closing the connection (RFC 4511 §4.4.1). */
export const writeDisconnection = (result: LdapResult): Buffer =>
  writeResult(0, TAG.extendedResponse, result, { name: '1.3.6.1.4.1.1466.20036' });

export function writeEntry(id: number, { dn, attributes }: LdapEntry): Buffer {
  return written(id, TAG.searchResultEntry, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [name, values] of Object.entries(attributes)) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(TYPE.set);
      for (const value of values) writer.writeString(value);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });
}

function written(
  id: number,
  tag: number,
  write: (writer: BerWriter) => void,
  writeControls: (writer: BerWriter) => void = () => {},
): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(tag);
  write(writer);
  writer.endSequence();
  writeControls(writer);
  writer.endSequence();
  return writer.buffer;
}
