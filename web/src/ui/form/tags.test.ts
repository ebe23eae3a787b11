import { expect, test } from 'vitest';
import { endsTag } from './tags.ts';

test('ends a tag at a separator', () => {
  expect(['a@x.test', 'a@x.test,', 'a@x.test ', 'a@x.test;'].map(endsTag)).toEqual([false, true, true, true]);
});
