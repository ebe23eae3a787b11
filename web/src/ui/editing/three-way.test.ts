import { expect, test } from 'vitest';
import { countChanges, isDeepEqual, listField, mergeThreeWay, switchField, textField } from './three-way.ts';

interface Values {
  name: string;
  isOn: boolean;
  urls: string[];
  inner: { life: number; other: string } | null;
}

const fields = [
  textField<Values>('Name', 'name'),
  switchField<Values>('On', 'isOn'),
  listField<Values>('Email addresses', 'urls'),
  textField<Values>('Life', 'inner.life', 'seconds'),
  textField<Values>('Other', 'inner.other'),
];
const base: Values = { name: 'Wiki', isOn: true, urls: ['a'], inner: { life: 1, other: 'x' } };
const labels = (some: readonly { label: string }[]) => some.map(({ label }) => label);

test('merges fields that only one of two users changed, including nested fields', () => {
  const theirs = { ...base, urls: ['a', 'b'], inner: { life: 2, other: 'x' } };
  const mine = { ...base, name: 'Handbook', inner: { life: 1, other: 'y' } };
  const merge = mergeThreeWay({ base, theirs, mine }, fields);
  expect(merge.merged).toEqual({ name: 'Handbook', isOn: true, urls: ['a', 'b'], inner: { life: 2, other: 'y' } });
  expect(merge.conflicts).toEqual([]);
  expect(labels(merge.theirs)).toEqual(['Email addresses', 'Life']);
});

test('reports a conflict if two users changed a field to different values', () => {
  const theirs = { ...base, name: 'Manual', urls: ['b'] };
  const mine = { ...base, name: 'Handbook', urls: ['b'] };
  const merge = mergeThreeWay({ base, theirs, mine }, fields);
  expect(labels(merge.conflicts)).toEqual(['Name']);
  expect(merge.merged).toEqual(mine);
});

test('displays switches, units and lists as text', () => {
  expect(fields.map(({ show }) => show(base))).toEqual(['Wiki', 'On', ['a'], '1 seconds', 'x']);
  expect(fields.map(({ show }) => show({ ...base, isOn: false, inner: null }))).toEqual([
    'Wiki',
    'Off',
    ['a'],
    'seconds',
    '',
  ]);
});

test('never loses a field when merging two changes', () => {
  const states = ['a', 'b', 'c'].flatMap((name) =>
    [['a'], []].flatMap((urls) => [1, 2].map((life): Values => ({ ...base, name, urls, inner: { life, other: 'x' } }))),
  );
  for (const began of states) {
    for (const theirs of states) {
      for (const mine of states) {
        const { merged, conflicts } = mergeThreeWay({ base: began, theirs, mine }, fields);
        for (const field of fields) {
          const [was, their, my, is] = [began, theirs, mine, merged].map(field.show);
          const isMine = !isDeepEqual(my, was);
          if (!isDeepEqual(is, isMine ? my : their)) expect(is).toEqual(isMine ? my : their);
          const isAsked = isMine && !isDeepEqual(their, was) && !isDeepEqual(my, their);
          if (conflicts.includes(field) !== isAsked) expect(labels(conflicts)).toContain(field.label);
        }
      }
    }
  }
});

test('keeps changes to fields without a label', () => {
  const mine = { ...base, isOn: false };
  const some = fields.filter(({ label }) => label !== 'On');
  expect(mergeThreeWay({ base, theirs: { ...base, name: 'Theirs' }, mine }, some).merged).toEqual({
    ...base,
    name: 'Theirs',
    isOn: false,
  });
});

test('counts a list, and values that share a label, as one change', () => {
  const shared = { label: 'Name and state', paths: ['name', 'isOn'], show: () => '' };
  const dirty = { name: true, isOn: true, urls: [true, false], inner: { life: true, other: false } };
  expect(countChanges(dirty, fields)).toBe(4);
  expect(countChanges(dirty, [shared, ...fields.slice(2)])).toBe(3);
  expect(countChanges({ name: false, urls: [{ value: false }], inner: {} }, fields)).toBe(0);
  expect(countChanges({ urls: [{ value: true }], other: true }, fields)).toBe(2);
});
