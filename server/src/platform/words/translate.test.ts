import { SHARED_GERMAN } from '@orchestrate/shared/words';
import { expect, test } from 'vitest';
import german from './german.json' with { type: 'json' };
import { toGerman } from './translate.ts';

test.each([
  ['At most 254 characters', 'Höchstens 254 Zeichen'],
  [
    'You can have at most 5 secrets. Delete one first',
    'Sie können höchstens 5 Secrets haben. Löschen Sie zuerst eines',
  ],
  ['Too many requests. Try again in 2 minutes.', 'Zu viele Anfragen. Versuchen Sie es in 2 Minuten erneut.'],
  ['Too many requests. Try again in 1 minute.', 'Zu viele Anfragen. Versuchen Sie es in 1 Minute erneut.'],
  ['Too many requests. Try again in 1 second.', 'Zu viele Anfragen. Versuchen Sie es in 1 Sekunde erneut.'],
  [
    'The last request was denied on the device. Try again in 2 minutes, or sign in with a code.',
    'Die letzte Anfrage wurde auf dem Gerät abgelehnt. Versuchen Sie es in 2 Minuten erneut, oder melden Sie sich mit einem Code an.',
  ],
  [
    'This document isn’t for a.test, because its issuer is b.test',
    'Dieses Dokument gehört nicht zu a.test, denn es nennt b.test als Issuer',
  ],
  [
    'Write a field name between ${ and }, e.g. ${firstName}',
    'Zwischen ${ und } steht der Name eines Felds, z. B. ${firstName}',
  ],
  ['Another member already uses “Users”.', '„Users“ wird bereits von einem anderen Mitglied verwendet.'],
  ['Another member already uses “Done.”.', '„Fertig.“ wird bereits von einem anderen Mitglied verwendet.'],
  [
    'There is no member with the email address ada@acme.tset in acme. Did you mean ada@acme.test?',
    'In acme gibt es kein Mitglied mit der E-Mail-Adresse ada@acme.tset. Meinten Sie ada@acme.test?',
  ],
  ['body.mode would never match: did you mean PUSH?', 'body.mode würde nie zutreffen: Meinten Sie PUSH?'],
  ['The id 7 is already used at organisations.0.id.', 'Die ID 7 wird schon verwendet, bei organisations.0.id.'],
  [
    'This ID token of acme must not be accepted: Signature, Expiry.',
    'Dieses ID-Token von acme darf nicht akzeptiert werden: Signatur, Ablauf.',
  ],
  ['No sentence of the portal', 'No sentence of the portal'],
])('translates “%s”', (english, german) => {
  expect(toGerman(english)).toBe(german);
});

test('translates a sentence with a very long placeholder value quickly', () => {
  const name = 'and 7 × '.repeat(20_000);
  const from = performance.now();
  expect(toGerman(`This image has ${name} frames of ${name}`)).toContain(name);
  expect(toGerman(`${name} is already a member of ${name}.`)).toContain(name);
  expect(performance.now() - from).toBeLessThan(500);
});

test('uses every placeholder of the English sentence in its German translation', () => {
  const wrong = Object.entries({ ...SHARED_GERMAN, ...german }).filter(
    ([english, german]) => english.split('{}').length - 1 !== new Set(german.match(/\{\d\*?\}/g)).size,
  );
  expect(wrong).toEqual([]);
});

test('has no sentence in both translation tables', () => {
  expect(Object.keys(german).filter((english) => Object.hasOwn(SHARED_GERMAN, english))).toEqual([]);
});
