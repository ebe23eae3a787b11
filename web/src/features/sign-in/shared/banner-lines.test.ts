import { expect, test } from 'vitest';
import { bannerLines } from './brand-panel.tsx';

test('uses a short first sentence as headline', () => {
  expect(bannerLines('Your phone is the key. No password to remember, nothing to steal.')).toEqual({
    headline: 'Your phone is the key.',
    rest: 'No password to remember, nothing to steal.',
  });
});

test('splits at a line break before sentences', () => {
  expect(bannerLines('Welcome back\nOne tap. Nothing to type.')).toEqual({
    headline: 'Welcome back',
    rest: 'One tap. Nothing to type.',
  });
});

test('uses a single sentence as headline', () => {
  expect(bannerLines('  Sign in with your phone  ')).toEqual({ headline: 'Sign in with your phone', rest: '' });
  expect(bannerLines('Version 2.0 is here')).toEqual({ headline: 'Version 2.0 is here', rest: '' });
  expect(bannerLines('')).toEqual({ headline: '', rest: '' });
});
