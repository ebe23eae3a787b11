import { expect, test } from 'vitest';
import { findRepeatedNames } from './repeated-names.ts';

test.each<[string, string[]]>([
  ['{"a":1,"b":{"a":2}}', []],
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"b":1,"c":[],"b":2}}', ['a.b']],
  ['{"a":[{"b":1},{"b":1,"b":2},["b","b"]]}', ['a.1.b']],
  [String.raw`{"a":"{\"x\":1,\"x\":2}","\u0061":1}`, ['a']],
  ['{"a":1,"a":2,"a":3}', ['a', 'a']],
  [String.raw`{"a\\":"\\","b":1,"a\\":2}`, ['a\\']],
  ['["a","a",{"a":["a","a"]}]', []],
  ['"a"', []],
])('finds, in %s, the repeated names %j', (json, paths) => {
  JSON.parse(json);
  const found = findRepeatedNames(json);
  expect(found.map(({ path }) => path.join('.'))).toEqual(paths);
  for (const { offset } of found) expect(json[offset]).toBe('"');
});
