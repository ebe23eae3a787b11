import { expect, test } from 'vitest';
import { describeBrowser, formatAge } from '../authenticator/index.ts';
import { MINUTE } from '../limits.ts';
import { PERMISSIONS, permissionGroup, permissionLabel } from '../permissions.ts';
import { SHARED_GERMAN, translatorOf } from './index.ts';

const translate = translatorOf(SHARED_GERMAN);

test('has a German name for every permission and permission group', () => {
  const names = PERMISSIONS.flatMap((permission) => [permissionLabel(permission), permissionGroup(permission)]);
  expect(names.filter((name) => !Object.hasOwn(SHARED_GERMAN, name))).toEqual([]);
});

test.each([
  ['At most 254 characters', 'Höchstens 254 Zeichen'],
  ['Only |lower or |upper can follow a field', 'Nach einem Feld ist nur |lower oder |upper erlaubt'],
  [describeBrowser('Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36'), 'Chrome unter Windows'],
  [describeBrowser(''), 'Unbekannter Browser'],
  [formatAge(0, 3 * MINUTE), 'vor 3 Min.'],
  ['No text of this package', 'No text of this package'],
])('translates “%s”', (english, german) => {
  expect(translate(english)).toBe(german);
});

test('requires text for each placeholder, and prefers the template with more fixed words', () => {
  const own = translatorOf({ 'From {} to {}': 'Von {0} bis {1}', '{} to {}': '{1} von {0}', '{}: {}': '{1} ({0})' });
  expect(own('From A to B')).toBe('Von A bis B');
  expect(own('From A to B to C')).toBe('Von A to B bis C');
  expect(own('A to B')).toBe('B von A');
  expect(own('A: B')).toBe('B (A)');
  expect([own('From  to '), own(' to '), own(': '), own('')]).toEqual(['From  to ', ' to ', ': ', '']);
});
