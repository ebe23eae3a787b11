import { expect, test } from 'vitest';
import { suggestDevice } from './device-type-choice.tsx';

const android = (model: string) =>
  `Mozilla/5.0 (Linux; Android 16; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36`;

test.each([
  [android('Pixel 9'), 'Pixel 9'],
  [android('K'), 'Android phone'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1', 'iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Simulated phone'],
])('converts the user agent %s to the name %s', (userAgent, name) => {
  expect(suggestDevice(userAgent)).toMatchObject({ name, type: 'mobile' });
});

test('uses the browser and the operating system as the platform', () => {
  expect(suggestDevice(android('Pixel 9')).platform).toBe('Chrome on Android');
});
