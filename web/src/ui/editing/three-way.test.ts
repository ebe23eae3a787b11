import { expect, test } from 'vitest';
import { isEqual, listField, mergeThreeWay, switchField, textField } from './three-way.ts';

interface Values {
  name: string;
  isOn: boolean;
  urls: string[];
  inner: { life: number; other: string } | null;
}

const fields = [
  textField<Values>('Name', 'name'),
  switchField<Values>('On', 'isOn'),
  listField<Values>('Addresses', 'urls'),
  textField<Values>('Life', 'inner.life', 'seconds'),
  textField<Values>('Other', 'inner.other'),
];
const base: Values = { name: 'Wiki', isOn: true, urls: ['a'], inner: { life: 1, other: 'x' } };
const labels = (some: readonly { label: string }[]) => some.map(({ label }) => label);

test('fields changed by only one of two people are merged, also within one part', () => {
  const theirs = { ...base, urls: ['a', 'b'], inner: { life: 2, other: 'x' } };
  const mine = { ...base, name: 'Handbook', inner: { life: 1, other: 'y' } };
  const merge = mergeThreeWay({ base, theirs, mine }, fields);
  expect(merge.merged).toEqual({ name: 'Handbook', isOn: true, urls: ['a', 'b'], inner: { life: 2, other: 'y' } });
  expect(merge.conflicts).toEqual([]);
  expect(labels(merge.theirs)).toEqual(['Addresses', 'Life']);
});

test('a field changed by both is a conflict, unless both made the same change', () => {
  const theirs = { ...base, name: 'Manual', urls: ['b'] };
  const mine = { ...base, name: 'Handbook', urls: ['b'] };
  const merge = mergeThreeWay({ base, theirs, mine }, fields);
  expect(labels(merge.conflicts)).toEqual(['Name']);
  expect(merge.merged).toEqual(mine);
});

test('switches, units and lists are shown in words', () => {
  expect(fields.map(({ show }) => show(base))).toEqual(['Wiki', 'On', ['a'], '1 seconds', 'x']);
  expect(fields.map(({ show }) => show({ ...base, isOn: false, inner: null }))).toEqual([
    'Wiki',
    'Off',
    ['a'],
    'seconds',
    '',
  ]);
});

test('no two changes lose a field: each is theirs, mine, or asked about', () => {
  const states = ['a', 'b', 'c'].flatMap((name) =>
    [['a'], []].flatMap((urls) => [1, 2].map((life): Values => ({ ...base, name, urls, inner: { life, other: 'x' } }))),
  );
  for (const began of states) {
    for (const theirs of states) {
      for (const mine of states) {
        const { merged, conflicts } = mergeThreeWay({ base: began, theirs, mine }, fields);
        for (const field of fields) {
          const [was, their, my, is] = [began, theirs, mine, merged].map(field.show);
          const isMine = !isEqual(my, was);
          if (!isEqual(is, isMine ? my : their)) expect(is).toEqual(isMine ? my : their);
          const isAsked = isMine && !isEqual(their, was) && !isEqual(my, their);
          if (conflicts.includes(field) !== isAsked) expect(labels(conflicts)).toContain(field.label);
        }
      }
    }
  }
});

test('a change of what the editor has no label for is not lost either', () => {
  const mine = { ...base, isOn: false };
  const some = fields.filter(({ label }) => label !== 'On');
  expect(mergeThreeWay({ base, theirs: { ...base, name: 'Theirs' }, mine }, some).merged).toEqual({
    ...base,
    name: 'Theirs',
    isOn: false,
  });
});
