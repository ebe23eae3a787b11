import { expect, test } from 'vitest';
import { endsTag } from './tags.ts';

test('a separator ends a tag', () => {
  expect(['a@x.test', 'a@x.test,', 'a@x.test ', 'a@x.test;'].map(endsTag)).toEqual([false, true, true, true]);
});
