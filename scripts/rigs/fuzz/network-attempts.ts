import fc from 'fast-check';
import type { Attempt } from './attempt.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((data) => Buffer.from(data).toString('latin1'));

/** A mutation of a valid message: bytes removed or inserted at an offset. */
const change = fc.record({ at: fc.nat(400), cut: fc.nat(8), put: bytes(8) });

function changed(valid: string): fc.Arbitrary<string> {
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) =>
    changes.reduce((text, { at, cut, put }) => {
      const index = at % (text.length + 1);
      return `${text.slice(0, index)}${put}${text.slice(index + cut)}`;
    }, valid),
  );
}

const hex = (text: string): string => Buffer.from(text.replaceAll(' ', ''), 'hex').toString('latin1');

const BIND = hex('3024 020101 601f 020103 0414 636e3d736572766963652c6f753d6469722c6f3d61 8004 6d796b65');
const SEARCH = hex(
  '3045 020102 6340 0409 6f753d782c6f3d6163 0a0102 0a0100 020100 020100 010100 a01d a309 0403 756964 0402 6162 a410 0404 6d61696c 3008 8001 61 8101 62 8200 3004 0402 636e',
);
const EXTENDED = hex('301d 020103 7718 8016 312e332e362e312e342e312e313436362e3230303337');
const ACCESS_REQUEST = `${hex('01 01 0037 000102030405060708090a0b0c0d0e0f 0112')}user@acme.test00${hex('0212')}${'x'.repeat(16)}`;

/** Bytes for the LDAP and RADIUS ports. */
export const networkAttempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc
    .oneof(bytes(2_000), ...[BIND, SEARCH, EXTENDED].map(changed), changed(BIND + SEARCH + SEARCH))
    .map((text): Attempt => ({ kind: 'ldap', what: 'bytes for LDAP', bytes: text })),
  fc
    .record({ text: fc.oneof(bytes(300), changed(ACCESS_REQUEST)), isProven: fc.boolean() })
    .map(({ text, isProven }): Attempt => ({ kind: 'radius', what: 'bytes for RADIUS', bytes: text, isProven })),
);
