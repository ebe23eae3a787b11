import { INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { addTags } from './email-tags.ts';

const textsOf = (typed: string) => addTags([], typed).tags.map(({ text }) => text);

test('a pasted list is split at commas, semicolons, spaces and line ends', () => {
  expect(textsOf(' a@x.test,b@x.test; c@x.test\r\nd@x.test\te@x.test\n')).toEqual([
    'a@x.test',
    'b@x.test',
    'c@x.test',
    'd@x.test',
    'e@x.test',
  ]);
});

test('of addresses with names only the addresses are kept', () => {
  expect(textsOf('Ada Berg <ada@x.test>, "Li, Bo" <bo+1@x.test>')).toEqual(['ada@x.test', 'bo+1@x.test']);
});

test('addresses with and without names may be mixed, and none is lost', () => {
  expect(textsOf('a1@x.test; Bob B <b1@x.test>; c1@x.test')).toEqual(['a1@x.test', 'b1@x.test', 'c1@x.test']);
  expect(textsOf('a@x.test Bob <b@x.test> c@x.test\n"Li; Bo" <d@x.test>,Eve,e@x.test')).toEqual([
    'a@x.test',
    'c@x.test',
    'b@x.test',
    'd@x.test',
    'Eve',
    'e@x.test',
  ]);
  expect(textsOf('"Bob, <b@x.test>, c@x.test')).toEqual(['Bob', 'b@x.test', 'c@x.test']);
});

test('an address is a tag once, whatever its case', () => {
  const { tags } = addTags([{ text: 'Ada@x.test', isValid: true }], 'ada@X.test ada@x.test bo@x.test');
  expect(tags.map(({ text }) => text)).toEqual(['Ada@x.test', 'bo@x.test']);
});

test('a text that is not an address is kept and marked', () => {
  expect(addTags([], 'ada@x.test nobody @x.test').tags.map(({ isValid }) => isValid)).toEqual([true, false, false]);
});

test('addresses beyond the limit are counted', () => {
  const many = Array.from({ length: INVITE_EMAILS_MAX + 3 }, (_, at) => `p${at}@x.test`).join('\n');
  const { tags, leftOut } = addTags([], many);
  expect([tags.length, leftOut]).toEqual([INVITE_EMAILS_MAX, 3]);
  expect(addTags(tags, 'one@more.test').leftOut).toBe(1);
});
