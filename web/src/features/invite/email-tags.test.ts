import { INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { addTags } from './email-tags.ts';

const textsOf = (typed: string) => addTags([], typed).tags.map(({ text }) => text);

// covers: spec 2.5.23
test('splits a pasted list at commas, semicolons, spaces and line breaks', () => {
  expect(textsOf(' a@x.test,b@x.test; c@x.test\r\nd@x.test\te@x.test\n')).toEqual([
    'a@x.test',
    'b@x.test',
    'c@x.test',
    'd@x.test',
    'e@x.test',
  ]);
});

test('keeps only the address if a name precedes it', () => {
  expect(textsOf('Ada Berg <ada@x.test>, "Li, Bo" <bo+1@x.test>')).toEqual(['ada@x.test', 'bo+1@x.test']);
});

test('accepts addresses with and without names, and loses none', () => {
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

test('treats a name with a comma as a single name if entries are separated by semicolons', () => {
  expect(
    textsOf('Lehmann, Günther <g.lehmann@x.test>; Doe, Jane <jane.doe@x.test>;\nvan der Berg, Ada <ada.b@x.test>'),
  ).toEqual(['g.lehmann@x.test', 'jane.doe@x.test', 'ada.b@x.test']);
});

test('strips punctuation around an address', () => {
  const typed = '"a@x.test","b@x.test" \'c@x.test\' mailto:d@x.test (e@x.test) f@x.test\u200b “g@x.test”. h@x.test.';
  expect(addTags([], typed).tags).toEqual([...'abcdefgh'].map((name) => ({ text: `${name}@x.test`, isValid: true })));
});

test('keeps text visible if it resembles an address and is next to a valid one', () => {
  const { tags } = addTags([], 'jörg@x.test <x@x.test>, müller@x.test Jo <jo@x.test>');
  expect(tags.map(({ text, isValid }) => [text, isValid])).toEqual([
    ['jörg@x.test', false],
    ['x@x.test', true],
    ['müller@x.test', false],
    ['jo@x.test', true],
  ]);
});

test('adds an address once, whatever its case', () => {
  const { tags } = addTags([{ text: 'Ada@x.test', isValid: true }], 'ada@X.test ada@x.test bo@x.test');
  expect(tags.map(({ text }) => text)).toEqual(['Ada@x.test', 'bo@x.test']);
});

test("keeps and marks text that isn't an address", () => {
  expect(addTags([], 'ada@x.test nobody @x.test').tags.map(({ isValid }) => isValid)).toEqual([true, false, false]);
});

test('counts addresses beyond the limit', () => {
  const many = Array.from({ length: INVITE_EMAILS_MAX + 3 }, (_, at) => `p${at}@x.test`).join('\n');
  const { tags, leftOut } = addTags([], many);
  expect([tags.length, leftOut]).toEqual([INVITE_EMAILS_MAX, 3]);
  expect(addTags(tags, 'one@more.test').leftOut).toBe(1);
});
