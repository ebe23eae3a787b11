import {
  AUDIT_ACTIONS,
  AUDIT_OBJECT_TYPES,
  PERMISSIONS,
  permissionLabel,
  RESULT_NAMES,
  resultOf,
} from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { actionLabel, objectTypeLabel } from '#features/audit/shared/event-words.ts';
import german from './de.json' with { type: 'json' };
import { translatorOf } from './translator.ts';

const translate = translatorOf(german);

test('translates every result of the catalogue to German', () => {
  const unknown = RESULT_NAMES.filter((name) => !name.startsWith('RESERVED'))
    .map((name) => resultOf(name).sentence)
    .filter((sentence) => translate(sentence) === sentence);
  expect(unknown).toEqual([]);
});

test('translates every permission to German', () => {
  const names = PERMISSIONS.map(permissionLabel);
  expect(names.filter((name) => translate(name) === name)).toEqual([]);
});

test('translates every audit action and subject to German', () => {
  const names = [...AUDIT_ACTIONS.map(actionLabel), ...AUDIT_OBJECT_TYPES.map(objectTypeLabel)];
  expect(names.filter((name) => !Object.hasOwn(german, name))).toEqual([]);
});

test.each([
  ['member.paused', 'Member disabled'],
  ['member.unpaused', 'Member enabled'],
  ['external-identity.linked', 'Linked account added'],
  ['session-settings.updated', 'Login options updated'],
  ['portal-oidc.updated', 'OIDC Portal Auth updated'],
  ['idp-certificate.added', 'Signing certificate added'],
  ['faq-record.created', 'FAQ question created'],
  ['api-resource.created', 'API created'],
  ['members.upload-began', 'Members: upload started'],
  ['sign-in.disowned', 'Sign-in reported'],
  ['attack.activation-guessing', 'Attack: activation codes guessed'],
])('names the event %s like the screens: %s', (action, label) => {
  expect(actionLabel(action)).toBe(label);
});

test.each([
  ['At most 254 characters', 'Höchstens 254 Zeichen'],
  ['Too many requests. Try again in 2 minutes.', 'Zu viele Anfragen. Versuchen Sie es in 2 Minuten erneut.'],
  ['Too many requests. Try again in 1 minute.', 'Zu viele Anfragen. Versuchen Sie es in 1 Minute erneut.'],
  ['Too many requests. Try again in 1 second.', 'Zu viele Anfragen. Versuchen Sie es in 1 Sekunde erneut.'],
  [
    'This document is not for a.test: its issuer is b.test',
    'Das Dokument ist nicht das von a.test: Es nennt b.test als Issuer',
  ],
  [
    'Write the name of a field between ${ and }, e.g. ${firstName}',
    'Zwischen ${ und } steht der Name eines Felds, z. B. ${firstName}',
  ],
  ['“Users” belongs to another member.', '„Users“ gehört einem anderen Mitglied.'],
  [
    'There is no member with the address ada@acme.tset in acme. Did you mean ada@acme.test?',
    'In acme gibt es kein Mitglied mit der Adresse ada@acme.tset. Meinten Sie ada@acme.test?',
  ],
  ['body.mode would never be found: did you mean PUSH?', 'body.mode würde nie gefunden: Meinten Sie PUSH?'],
  ['The id 7 is taken already, at organisations.0.id.', 'Die ID 7 ist schon vergeben, bei organisations.0.id.'],
  [
    'This ID token of acme must not be accepted: Signature, Expiry.',
    'Dieses ID-Token von acme darf nicht akzeptiert werden: Signatur, Ablauf.',
  ],
  ['This sentence is unknown', 'This sentence is unknown'],
])('translates “%s” to German', (english, text) => {
  expect(translate(english)).toBe(text);
});

test('uses the placeholders of the English sentence in German', () => {
  const wrong = Object.entries(german).filter(
    ([english, text]) => english.split('{}').length - 1 !== new Set(text.match(/\{\d\*?\}/g)).size,
  );
  expect(wrong).toEqual([]);
});
