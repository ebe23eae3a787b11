import { AUDIT_ACTIONS, AUDIT_OBJECT_TYPES } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { actionLabel, fieldLabel, objectName, objectTypeLabel } from './event-words.ts';

test.each([
  ['member.paused', 'Member deactivated'],
  ['member.unpaused', 'Member reactivated'],
  ['external-identity.linked', 'Linked account added'],
  ['session-settings.updated', 'Login options updated'],
  ['portal-oidc.updated', 'OIDC Portal Auth updated'],
  ['idp-certificate.added', 'Signing certificate added'],
  ['faq-record.created', 'FAQ question created'],
  ['api-resource.created', 'API created'],
  ['members.upload-began', 'Members: upload started'],
  ['sign-in.disowned', 'Sign-in reported'],
  ['attack.activation-guessing', 'Attack: guessing activation codes'],
])('labels the event %s as “%s”', (action, label) => {
  expect(actionLabel(action)).toBe(label);
});

test('has a unique label for each event and object type', () => {
  const labels = [...AUDIT_ACTIONS.map(actionLabel), ...AUDIT_OBJECT_TYPES.map(objectTypeLabel)];
  expect(labels.filter((label) => !/^[A-Z]/.test(label))).toEqual([]);
  expect(new Set(labels).size).toBe(labels.length);
});

test('labels a field as on its screen, or otherwise by the words in its name', () => {
  expect(['primaryEmail', 'client.idTokenAlg', 'somethingNewUrls'].map(fieldLabel)).toEqual([
    'Primary email',
    'ID token algorithm',
    'Something new URLs',
  ]);
});

test('translates names of unique objects, but not names that people chose', () => {
  expect(objectName({ type: 'session-settings', name: 'Sessions and login options' })).toBe(
    'Sessions and login options',
  );
  expect(objectName({ type: 'role', name: 'Lab' })).toBe('Lab');
});
