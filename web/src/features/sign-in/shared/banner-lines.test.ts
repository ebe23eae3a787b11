import { expect, test } from 'vitest';
import { bannerLines } from './brand-panel.tsx';

test('a short first sentence is the headline', () => {
  expect(bannerLines('Your phone is the key. No password to remember, nothing to steal.')).toEqual({
    headline: 'Your phone is the key.',
    rest: 'No password to remember, nothing to steal.',
  });
});

test('a line break decides before the sentences do', () => {
  expect(bannerLines('Welcome back\nOne tap. Nothing to type.')).toEqual({
    headline: 'Welcome back',
    rest: 'One tap. Nothing to type.',
  });
});

test('one sentence is all headline', () => {
  expect(bannerLines('  Sign in with your phone  ')).toEqual({ headline: 'Sign in with your phone', rest: '' });
  expect(bannerLines('Version 2.0 is here')).toEqual({ headline: 'Version 2.0 is here', rest: '' });
  expect(bannerLines('')).toEqual({ headline: '', rest: '' });
});
