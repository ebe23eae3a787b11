import { expect, test } from 'vitest';
import { newDemoUrl } from './screen/demo-home.tsx';

const here = { hostname: 'localhost' };

test('starts another demo only on the portal that started the current demo', () => {
  expect(newDemoUrl('http://localhost:3000', here)).toBe('http://localhost:3000/demo');
  for (const from of ['https://elsewhere.example', 'javascript:alert(1)', 'not an address', null]) {
    expect(newDemoUrl(from, here)).toBe('/demo');
  }
});
