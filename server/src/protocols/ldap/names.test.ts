import { expect, test } from 'vitest';
import { escapeDnValue, readName } from './names.ts';

// covers: security 1.2.6
test.each(['user@acme.test', 'a,b', 'a\\', '\\,x', ' #a+b ', 'a=b;c<d>"e"', 'Zoë', 'ou=x,o=y', 'a\\dd'])(
  'parses an escaped value back to the original: %s',
  (value) => {
    expect(readName(`uid=${escapeDnValue(value)},ou=people,o=acme`)).toEqual([
      { attribute: 'uid', value },
      { attribute: 'ou', value: 'people' },
      { attribute: 'o', value: 'acme' },
    ]);
  },
);

test('keeps an escaped trailing space', () => {
  expect(readName('cn=a\\  , o=acme ')).toEqual([
    { attribute: 'cn', value: 'a ' },
    { attribute: 'o', value: 'acme' },
  ]);
});

const ZOE = { attribute: 'uid', value: 'Zoë, +1' };

test.each([
  'UID = Zo\\c3\\ab\\, \\2b1 , o=acme',
  // Older notations, which RFC 2253 §4 requires servers to accept.
  'uid="Zoë, +1",o=acme',
  'uid = "Zo\\C3\\AB, \\+1" ; o="acme"',
  'OID.0.9.2342.19200300.100.1.1="Zoë, +1",o=acme',
  // Hexadecimal BER: an octet string and a UTF-8 string (RFC 4514 §2.4).
  'uid=#04085a6fc3ab2c202b31,o=acme',
  'uid=#0C085A6FC3AB2C202B31 ,o=acme',
])('parses every value notation: %s', (dn) => {
  expect(readName(dn)).toEqual([ZOE, { attribute: 'o', value: 'acme' }]);
});

test('accepts a multi-valued RDN, which matches no entry', () => {
  expect(readName('uid=a + cn="b",o=acme')).toEqual([
    { attribute: 'uid+cn', value: 'a+b' },
    { attribute: 'o', value: 'acme' },
  ]);
});

test('parses the empty string as the root DN', () => {
  expect(readName('')).toEqual([]);
});

test.each([
  'nonsense',
  'uid',
  '=a',
  'uid=',
  'uid=,o=acme',
  'uid=a,',
  ',uid=a',
  'uid=a,,o=acme',
  'u id=a',
  '1=a',
  '1.=a',
  'uid=a+b,o=acme',
  'uid=a+,o=acme',
  'uid=a<b',
  'uid=a>b',
  'uid=a\0',
  'uid=a"b"',
  'uid="a',
  'uid="a"b',
  'uid=a\\',
  'uid=a\\x',
  'uid=a\\c',
  'uid=\\c3',
  'uid="\\c3"',
  'uid=#',
  'uid=#0',
  'uid=#04',
  'uid=#0402',
  'uid=#040261',
  'uid=#04016162',
  'uid=#0401c3',
  'uid=#020101',
  'uid=#xy',
])('rejects an invalid DN: %j', (dn) => {
  expect(readName(dn)).toBeUndefined();
});

// Backtracking would make this take hours.
test('rejects a long invalid DN without backtracking', { tags: 'whole' }, () => {
  const spaces = ' '.repeat(200_000);
  for (const dn of [`uid=${spaces}"`, `uid=a${spaces}"`, `uid="a"${spaces}x`, `uid${spaces}x`, `uid=#04${spaces}x`])
    expect(readName(dn)).toBeUndefined();
});
