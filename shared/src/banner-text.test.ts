import { expect, test } from 'vitest';
import { splitBannerText } from './brand-shades.ts';

test('uses a short first sentence as the headline', () => {
  expect(splitBannerText('Your phone is the key. No password to remember, nothing to steal.')).toEqual({
    headline: 'Your phone is the key.',
    rest: 'No password to remember, nothing to steal.',
  });
});

test('splits at a line break rather than after the first sentence', () => {
  expect(splitBannerText('Welcome back\nOne tap. Nothing to type.')).toEqual({
    headline: 'Welcome back',
    rest: 'One tap. Nothing to type.',
  });
});

test('uses a single sentence as the headline', () => {
  expect(splitBannerText('  Sign in with your phone  ')).toEqual({ headline: 'Sign in with your phone', rest: '' });
  expect(splitBannerText('Version 2.0 is here')).toEqual({ headline: 'Version 2.0 is here', rest: '' });
  expect(splitBannerText('')).toEqual({ headline: '', rest: '' });
});
