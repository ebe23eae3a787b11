import { expect, test } from 'vitest';
import { escaped, readName } from './names.ts';

test.each(['user@acme.test', 'a,b', 'a\\', '\\,x', ' #a+b ', 'a=b;c<d>"e"', 'Zoë', 'ou=x,o=y'])(
  'a value comes back from its name as it was: %s',
  (value) => {
    expect(readName(`uid=${escaped(value)},ou=people,o=acme`)).toEqual([
      { attribute: 'uid', value },
      { attribute: 'ou', value: 'people' },
      { attribute: 'o', value: 'acme' },
    ]);
  },
);

test('a space at the end of a value counts where it is escaped', () => {
  expect(readName('cn=a\\  , o=acme ')).toEqual([
    { attribute: 'cn', value: 'a ' },
    { attribute: 'o', value: 'acme' },
  ]);
});

test('a value may be written in hexadecimal, and anything but a name is refused', () => {
  expect(readName('UID = Zo\\c3\\ab , o=acme')?.[0]).toEqual({ attribute: 'uid', value: 'Zoë' });
  expect(readName('')).toEqual([]);
  expect(readName('nonsense')).toBeUndefined();
  expect(readName('uid=,o=acme')).toBeUndefined();
});
