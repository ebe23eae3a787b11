import { expect, test } from 'vitest';
import { mirrorMessages } from './pseudo.ts';

test('isolates inserted values, so that names and addresses keep their direction', () => {
  const one: [string, string, Record<string, unknown>] = ['count', 'plural', { one: [['name'], ' left'], other: '#' }];
  const { sent, left } = mirrorMessages({ sent: ['Sent to ', ['email'], '.'], left: [one] } as never);
  expect(sent).toEqual(['\u202eSent to \u202c', '\u2068', ['email'], '\u2069', '\u202e.\u202c']);
  expect(left).toEqual([
    ['count', 'plural', { one: ['\u2068', ['name'], '\u2069', '\u202e left\u202c'], other: '\u202e#\u202c' }],
  ]);
});
