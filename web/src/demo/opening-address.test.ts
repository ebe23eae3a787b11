import { expect, test } from 'vitest';
import { openingAddress } from './screen/demo-home.tsx';

const here = { hostname: 'localhost' };

test('starts another demo only at the portal that started this one', () => {
  expect(openingAddress('http://localhost:3000', here)).toBe('http://localhost:3000/demo');
  for (const from of ['https://elsewhere.example', 'javascript:alert(1)', 'not an address', null]) {
    expect(openingAddress(from, here)).toBe('/demo');
  }
});
