import { expect, test } from 'vitest';
import { openingAddress } from './screen/demo-home.tsx';

const here = { hostname: 'localhost' };

test('another stage is opened at the portal that started this one, and at no other host', () => {
  expect(openingAddress('http://localhost:3000', here)).toBe('http://localhost:3000/demo');
  for (const from of ['https://elsewhere.example', 'javascript:alert(1)', 'not an address', null]) {
    expect(openingAddress(from, here)).toBe('/demo');
  }
});
